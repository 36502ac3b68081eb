/** The names that a question to the module graph depended on, per file; `''` stands for the existence of the file, `**` for all names. */
export class Trace {
  readonly names = new Map<string, Set<string>>();
  readonly #own: string | null;

  /** `own`: the file that asks. Its own names are not recorded: when it changes, its links are made anew anyway. */
  constructor(own: string | null = null) {
    this.#own = own;
    if (own !== null) this.names.set(own, new Set(['']));
  }

  /** The file that asks; null when nobody in particular does. */
  get own(): string | null {
    return this.#own;
  }

  add(path: string, name: string): void {
    if (path === this.#own) return;
    const known = this.names.get(path);
    if (known) known.add(name);
    else this.names.set(path, new Set([name]));
  }

  addPaths(paths: readonly string[]): void {
    for (const path of paths) this.add(path, '');
  }
}
