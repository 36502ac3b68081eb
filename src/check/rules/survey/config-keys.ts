import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { isCode } from '#code/languages/index.ts';
import { isLockFile } from '#code/languages/lock-files.ts';
import { parseYaml } from '#lib/yaml.ts';
import { isFixture, isTestCode } from '#tests/code/test-path.ts';
import type { ChangedText } from './changed-text.ts';

interface Key {
  /** `cache.ttl`. */
  readonly path: string;
  readonly line: number;
}

/** Keys that a settings file loses, and settings that code starts to read. */
export interface KeyNews {
  readonly gone: readonly Key[];
  readonly added: readonly string[];
  readonly reads: readonly Key[];
}

/** Files of tools: no code of the project reads their keys. */
const ofTools =
  /(^|\/)(package|tsconfig[\w.-]*|jsconfig|composer|lerna|nx|turbo|biome|renovate|deno|angular|vercel|netlify|pyproject|Cargo|openapi[\w.-]*|swagger[\w.-]*|mkdocs|codecov|dependabot)\.(json|ya?ml|toml)$|(^|\/)\.[\w.-]+(\/|$)|\.lock$|locales?\/|i18n\//;
const chain =
  /\b(?:config|cfg|conf|settings|options|CONFIG|SETTINGS)\b((?:\.\w+|\[["']\w+["']\]|\.get\(["'][\w.]+["']\))+)/g;
const largest = 200_000;

/** A file whose keys a tool reads, not the project. */
export function isOfTool(path: string): boolean {
  return ofTools.test(path) || posix.basename(path).includes('compose');
}

export function readKeys({ path, before, after, added }: ChangedText): KeyNews | undefined {
  if (/\.(json|ya?ml|toml)$/.test(path) && !isOfTool(path) && !isLockFile(path) && !isFixture(path)) {
    if (before === '' || before.length + after.length > largest) return undefined;
    const [old, now] = [keysOf(path, before), keysOf(path, after)];
    if (!old || !now) return undefined;
    const rows = before.split('\n');
    const gone = [...old]
      .filter((key) => !now.has(key) && key.includes('.'))
      .map((key) => ({
        path: key,
        line:
          Math.max(
            rows.findIndex((row) => row.includes(key.split('.').at(-1) ?? key)),
            0,
          ) + 1,
      }));
    const added = [...now].filter((key) => !old.has(key));
    return gone.length === 0 || gone.length > 100 ? undefined : { gone, added, reads: [] };
  }
  if (!isCode(path) || isTestCode(path)) return undefined;
  const reads = added.flatMap(({ line, text }) =>
    [...text.matchAll(chain)].flatMap(([, members = '']) => {
      const parts = members.match(/\w+/g)?.filter((part) => part !== 'get') ?? [];
      return parts.length < 2 ? [] : [{ path: parts.join('.'), line }];
    }),
  );
  return reads.length === 0 ? undefined : { gone: [], added: [], reads };
}

function keysOf(path: string, text: string): Set<string> | null {
  if (text === '') return new Set();
  try {
    const document: unknown = path.endsWith('.json')
      ? JSON.parse(text)
      : path.endsWith('.toml')
        ? parseToml(text)
        : parseYaml(text);
    return new Set(pathsIn(document, ''));
  } catch {
    return null;
  }
}

function* pathsIn(value: unknown, at: string): Iterable<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const path = at === '' ? key : `${at}.${key}`;
    yield path;
    yield* pathsIn(inner, path);
  }
}
