import type { Tree } from '#code/resolve/tree.ts';

/**
 * A tree that records lookups. Resolvers cache their answers, so the lookups behind an answer are stored with it and count for every caller
 * that gets it.
 */
export class Probes implements Tree {
  readonly #tree: Tree;
  readonly #behind = new WeakMap<object, readonly string[]>();
  #open: string[] | null = null;
  #looked: { readonly paths: Set<string>; readonly answers: Set<object> } | null = null;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  blob(path: string): string | undefined {
    this.#open?.push(path);
    return this.#tree.blob(path);
  }

  /** Folders are noted with a slash at the end. */
  isDirectory(path: string): boolean {
    this.#open?.push(`${path}/`);
    return this.#tree.isDirectory(path);
  }

  /** The files of a folder are noted as `folder/*`. */
  files(directory: string): readonly string[] {
    this.#open?.push(directory === '' ? '*' : `${directory}/*`);
    return this.#tree.files(directory);
  }

  /** Gets an answer and records the lookups behind it. */
  of<Answer extends object>(ask: () => Answer): Answer {
    const probed: string[] = [];
    this.#open = probed;
    const answer = ask();
    this.#open = null;
    if (probed.length > 0) this.#behind.set(answer, probed);
    this.#looked?.answers.add(answer);
    return answer;
  }

  /** Records a file whose content was read. */
  note(path: string): void {
    this.#looked?.paths.add(path);
  }

  /** Records files whose contents were read for an answer that is kept. Pass the same list each time. */
  noteAll(paths: readonly string[]): void {
    this.#behind.set(paths, paths);
    this.#looked?.answers.add(paths);
  }

  begin(): void {
    this.#looked = { paths: new Set(), answers: new Set() };
  }

  /** All lookups since `begin`: paths of files, present or not, and of folders. */
  end(): ReadonlySet<string> {
    const { paths, answers } = this.#looked ?? { paths: new Set<string>(), answers: new Set<object>() };
    for (const answer of answers) for (const path of this.#behind.get(answer) ?? []) paths.add(path);
    this.#looked = null;
    return paths;
  }
}
