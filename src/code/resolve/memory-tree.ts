import { createHash } from 'node:crypto';
import { baseNameOf, directoryOf, upwardFrom } from './repository-path.ts';
import type { Documents, Tree } from './tree.ts';

/** An in-memory tree for tests: paths and their text. */
export interface MemoryTree {
  readonly tree: Tree;
  readonly documents: Documents;
  /** The documents that control resolution, as a caller would list them. */
  readonly documentPaths: readonly string[];
}

const steering =
  /^(?:package\.json|tsconfig.*\.json|jsconfig\.json|pnpm-workspace\.yaml|lerna\.json|pyproject\.toml|setup\.cfg)$/;

/** `loaded`: the documents whose text can be read; by default all that control resolution. */
export function memoryTree(
  files: Readonly<Record<string, string>>,
  loaded: (path: string) => boolean = (path) => steering.test(baseNameOf(path)),
): MemoryTree {
  const blobs = new Map<string, string>();
  const texts = new Map<string, string>();
  const directories = new Set<string>();
  for (const [path, text] of Object.entries(files)) {
    const blob = createHash('sha1').update(text).digest('hex');
    blobs.set(path, blob);
    if (loaded(path)) texts.set(blob, text);
    for (const folder of upwardFrom(path)) if (folder !== path) directories.add(folder);
  }
  return {
    tree: {
      blob: (path) => blobs.get(path),
      isDirectory: (path) => directories.has(path),
      files: (directory) => [...blobs.keys()].filter((path) => directoryOf(path) === directory).sort(),
    },
    documents: { text: (blob) => texts.get(blob) },
    documentPaths: [...blobs.keys()].filter((path) => steering.test(baseNameOf(path))).sort(),
  };
}
