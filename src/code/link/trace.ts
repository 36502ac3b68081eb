/** The names that an answer of the module graph depends on, per file; `''` means the existence of the file, `**` all names. */
export class Trace {
  readonly names = new Map<string, Set<string>>();
  readonly #own: string | null;

  /** `own`: the file being linked. Its own names are not recorded: when it changes, it is linked again anyway. */
  constructor(own: string | null = null) {
    this.#own = own;
    if (own !== null) this.names.set(own, new Set(['']));
  }

  /** The file being linked; null when there is none. */
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
