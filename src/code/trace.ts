/** The names that a question to the module graph depended on, per file; `''` stands for the existence of the file, `**` for all names. */
export class Trace {
  readonly names = new Map<string, Set<string>>();

  add(path: string, name: string): void {
    const known = this.names.get(path);
    if (known) known.add(name);
    else this.names.set(path, new Set([name]));
  }

  addPaths(paths: readonly string[]): void {
    for (const path of paths) this.add(path, '');
  }
}
