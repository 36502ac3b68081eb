import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { mostContent, type ObjectReader } from '#git/objects/object-reader.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { CheckerFailure } from './containment.ts';

/** Writes some files of one tree after another into a folder of Joinery, for checkers that read only from disk. */
export class MaterialisedTree {
  readonly dir: string;
  readonly #objects: ObjectReader;
  readonly #isWanted: (path: string) => boolean;
  readonly #rewrite: (path: string, content: Buffer) => Buffer | string;
  #written = new Map<string, string>();

  /** `rewrite` returns what is written instead of a file's content. */
  constructor(
    dir: string,
    objects: ObjectReader,
    isWanted: (path: string) => boolean,
    rewrite: (path: string, content: Buffer) => Buffer | string = (_, content) => content,
  ) {
    this.dir = dir;
    this.#objects = objects;
    this.#isWanted = isWanted;
    this.#rewrite = rewrite;
  }

  async moveTo(tree: GitTree): Promise<void> {
    const wanted = new Map(
      tree.matching(this.#isWanted).flatMap((path) => {
        const blob = tree.blob(path);
        return blob !== undefined && isSafe(path) ? [[path, blob] as const] : [];
      }),
    );
    const folders = new Set([...wanted.keys()].flatMap(foldersOf));
    for (const path of this.#written.keys()) {
      if (wanted.has(path)) continue;
      // An empty folder is a package for Python, so it is removed.
      const gone = foldersOf(path).find((folder) => !folders.has(folder)) ?? path;
      rmSync(join(this.dir, gone), { recursive: true, force: true });
    }
    for (const [path, blob] of wanted) {
      if (this.#written.get(path) === blob) continue;
      const found = await this.#objects.blob(blob, mostContent);
      if (found === null) throw new CheckerFailure('crashed', `this clone lacks the content of ${path}`);
      // Files that are too large are left out, as everywhere in a check.
      if (found.content === null) continue;
      mkdirSync(join(this.dir, dirname(path)), { recursive: true });
      writeFileSync(join(this.dir, path), this.#rewrite(path, found.content));
    }
    this.#written = wanted;
  }

  /** The files of the current tree, without those that no file system accepts. */
  get paths(): readonly string[] {
    return [...this.#written.keys()];
  }

  write(name: string, text: string): void {
    mkdirSync(this.dir, { recursive: true });
    writeFileSync(join(this.dir, name), text);
  }
}

/** `a/b/c.py` → `a`, `a/b` */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}

/** The longest path that file systems accept, minus the folder it is written to. */
const longestName = 255;
const longestPath = 3000;

/** A tree can contain any name: a name that leads out of the folder, or that no file system accepts, is left out. */
function isSafe(path: string): boolean {
  return (
    !path.includes('\\') &&
    path.isWellFormed() &&
    Buffer.byteLength(path) <= longestPath &&
    path
      .split('/')
      .every(
        (part) =>
          part !== '' &&
          part !== '.' &&
          part !== '..' &&
          Buffer.byteLength(part) <= longestName &&
          !/[:*?"<>|\p{Cc}]/u.test(part),
      )
  );
}
