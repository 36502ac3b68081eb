import { posix } from 'node:path';
import { parseYaml, parseYamlDocuments } from '#lib/yaml.ts';
import type { ChangedText } from './changed-text.ts';

/** Something that may exist only once where it is deployed: a host port, a container, a resource. */
export interface Resource {
  readonly kind: 'host port' | 'container name' | 'resource';
  readonly scope: string;
  readonly value: string;
  /** Its holder: a service, a file. */
  readonly holder: string;
  readonly line: number;
}

export function readResources({ path, before, after }: ChangedText): Resource[] | undefined {
  const read = reader(path);
  if (!read || after === '') return undefined;
  const keyOf = ({ kind, value, holder }: Resource) => JSON.stringify([kind, value, holder]);
  const old = new Set(read(before).map(keyOf));
  return read(after).filter((each) => !old.has(keyOf(each)));
}

function reader(path: string): ((text: string) => Resource[]) | null {
  const folder = posix.dirname(path);
  const guarded = (read: (text: string) => Resource[]) => (text: string) => {
    try {
      return read(text);
    } catch {
      return [];
    }
  };
  if (/(^|\/)(docker-)?compose[\w.-]*\.ya?ml$/.test(path)) return guarded((text) => ofCompose(text, folder));
  if (path.endsWith('.tf')) return (text) => ofTerraform(text, folder, path);
  return /(^|\/)(k8s|kubernetes|manifests|deploy)\//.test(path) && /\.ya?ml$/.test(path)
    ? guarded((text) => ofCluster(text, path))
    : null;
}

interface Compose {
  readonly services?: Readonly<
    Record<string, { readonly ports?: unknown[]; readonly container_name?: unknown }>
  >;
}

function ofCompose(text: string, scope: string): Resource[] {
  const rows = text.split('\n');
  // Each search walks through all lines: beyond this many, the first line has to do.
  let searches = 1000;
  const lineOf = (word: string) =>
    Math.max(searches-- > 0 ? rows.findIndex((row) => row.includes(word)) : 0, 0) + 1;
  const { services = {} } = (parseYaml(text) ?? {}) as Compose;
  return Object.entries(services).flatMap(([holder, service]) => {
    const ports = (service?.ports ?? []).flatMap((port) => {
      const [, value] = /^(?:[\d.]+:)?(\d+):\d+(?:\/\w+)?$/.exec(String(port)) ?? [];
      return value ? [{ kind: 'host port' as const, scope, value, holder, line: lineOf(String(port)) }] : [];
    });
    const name = service?.container_name;
    return typeof name === 'string'
      ? [...ports, { kind: 'container name' as const, scope, value: name, holder, line: lineOf(name) }]
      : ports;
  });
}

function ofTerraform(text: string, scope: string, holder: string): Resource[] {
  return text.split('\n').flatMap((row, index) => {
    const [, type, name] = /^resource\s+"([\w-]+)"\s+"([\w-]+)"/.exec(row) ?? [];
    return type && name
      ? [
          {
            kind: 'resource' as const,
            scope,
            value: `${type}.${name}`,
            holder: `${holder}:${index}`,
            line: index + 1,
          },
        ]
      : [];
  });
}

function ofCluster(text: string, holder: string): Resource[] {
  return parseYamlDocuments(text).flatMap(({ value: document, line }) => {
    const { kind, metadata } = (document ?? {}) as {
      kind?: string;
      metadata?: { name?: string; namespace?: string };
    };
    if (!kind || !metadata?.name) return [];
    const value = [kind, metadata.namespace ?? 'default', metadata.name].join('/');
    return [{ kind: 'resource' as const, scope: 'cluster', value, holder, line }];
  });
}
