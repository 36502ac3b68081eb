import type { Resolution } from './resolution.ts';
import type { Tree } from './tree.ts';

/** No real import looks in more places; the rest is not recorded, so that hostile ones stay cheap. */
const mostTried = 256;

/** Looks for files in one tree and records where: the answer depends on these paths. */
export class Search {
  readonly #tree: Tree;
  readonly #tried = new Set<string>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** The path when the tree has a file there. */
  file(path: string): string | undefined {
    this.note(path);
    return this.#tree.blob(path) === undefined ? undefined : path;
  }

  /** Records a path the answer depends on without looking it up. */
  note(path: string): void {
    if (this.#tried.size < mostTried) this.#tried.add(path);
  }

  found(path: string, exact: boolean): Resolution {
    return { status: 'found', path, exact, tried: [...this.#tried] };
  }

  missing(above?: { readonly path: string; readonly name: string }): Resolution {
    return { status: 'missing', tried: [...this.#tried], ...(above && { above }) };
  }

  get tried(): readonly string[] {
    return [...this.#tried];
  }
}

export function external(name: string): Resolution {
  return { status: 'external', name };
}

export function unknown(reason: string): Resolution {
  return { status: 'unknown', reason };
}
