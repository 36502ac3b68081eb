/** The names that a question to the module graph depended on, per file; `''` stands for the existence of the file, `**` for all names. */
export class Trace {
  readonly names = new Map<string, Set<string>>();
  readonly #own: string | null;

  /** `own`: the file that asks. What it asks of itself stands and falls with it: no names are noted. */
  constructor(own: string | null = null) {
    this.#own = own;
    if (own !== null) this.names.set(own, new Set(['']));
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
