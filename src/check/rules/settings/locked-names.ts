import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { dependenciesOf, plainName } from '#check/rules/survey/manifests.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { parseYaml } from '#lib/yaml.ts';

type Read = (tree: GitTree, path: string) => Promise<string | null>;

const locks: Readonly<Record<string, readonly { readonly name: string; readonly command: string }[]>> = {
  'package.json': [
    { name: 'package-lock.json', command: 'npm install --package-lock-only' },
    { name: 'pnpm-lock.yaml', command: 'pnpm install --lockfile-only' },
    { name: 'yarn.lock', command: 'yarn install --mode update-lockfile' },
  ],
  'pyproject.toml': [
    { name: 'poetry.lock', command: 'poetry lock' },
    { name: 'uv.lock', command: 'uv lock' },
  ],
};

/** The lock file of a manifest in a tree, and the command that rewrites it. */
export function lockOf(tree: GitTree, manifest: string): { path: string; command: string } | null {
  const folder = posix.dirname(manifest);
  for (const { name, command } of locks[posix.basename(manifest)] ?? []) {
    const path = posix.join(folder, name);
    if (tree.blob(path) !== undefined) return { path, command };
  }
  return null;
}

export function manifestOf(path: string): string | null {
  const name = posix.basename(path);
  const manifest = Object.keys(locks).find(
    (each) => each === name || locks[each]?.some((lock) => lock.name === name),
  );
  return manifest === undefined ? null : posix.join(posix.dirname(path), manifest);
}

/** Dependencies of a manifest that its lock file lacks in the required range. */
export async function outOfSync(
  read: Read,
  tree: GitTree,
  manifest: string,
  lock: string,
): Promise<Set<string>> {
  const [wanted, locked] = [await read(tree, manifest), await read(tree, lock)];
  if (wanted === null || locked === null) return new Set();
  const known = lockedNames(lock, locked);
  if (known === null) return new Set();
  return new Set(
    dependenciesOf(manifest, wanted).flatMap(({ name, range }) => {
      const has = known.get(name);
      if (has === undefined) return [name];
      return has !== null && has !== range ? [name] : [];
    }),
  );
}

/** By name: the range that the lock was made for; null where it does not contain one. */
function lockedNames(path: string, text: string): Map<string, string | null> | null {
  try {
    if (path.endsWith('package-lock.json')) return ofNpm(text);
    if (path.endsWith('pnpm-lock.yaml')) return ofPnpm(text);
    if (path.endsWith('yarn.lock'))
      return new Map([...text.matchAll(/^"?(@?[^@\s"]+)@/gm)].map(([, name = '']) => [name, null]));
    const { package: packages = [] } = parseToml(text) as { package?: { name?: unknown }[] };
    return new Map(
      packages.flatMap(({ name }) => (typeof name === 'string' ? [[plainName(name), null]] : [])),
    );
  } catch {
    return null;
  }
}

type Listed = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
const sections = ['dependencies', 'devDependencies', 'optionalDependencies'];

function ofNpm(text: string): Map<string, string | null> | null {
  const { packages } = JSON.parse(text) as { packages?: Readonly<Record<string, Listed>> };
  const root = packages?.[''];
  if (!root) return null;
  const entries = sections.flatMap((section) => Object.entries(root[section] ?? {}));
  // A range without the package itself is only half of an entry.
  return new Map(
    entries.flatMap(([name, range]) =>
      packages[`node_modules/${name}`] === undefined ? [] : [[name, String(range)] as const],
    ),
  );
}

/** A lock file has tens of thousands of lines; only the part about the manifest beside it is read. */
function ofPnpm(text: string): Map<string, string | null> {
  const importers = /^importers:\n(?:(?: .*)?\n)*/m.exec(`${text.replaceAll('\r\n', '\n')}\n`)?.[0] ?? '';
  const own = /^ {2}(?:\.|'\.'|"\."):.*\n(?:(?: {3}.*)?\n)*/m.exec(importers)?.[0] ?? '';
  const [root = {}] = Object.values((parseYaml(own) as Readonly<Record<string, Listed | null>>) ?? {});
  return new Map(
    sections.flatMap((section) =>
      Object.entries(root?.[section] ?? {}).map(([name, entry]) => {
        const { specifier } = (entry ?? {}) as { specifier?: unknown };
        return [name, typeof specifier === 'string' ? specifier : null] as const;
      }),
    ),
  );
}
