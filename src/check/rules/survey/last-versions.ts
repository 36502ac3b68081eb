/** More files than branches usually change: beyond that the memory counts more than the time. */
const mostFiles = 2000;

/** What was found in the last version of each file. Base's version is read beside every branch that is behind, and stays the same. */
export class LastVersions<Found> {
  readonly #known = new Map<string, { readonly text: string; readonly found: Found }>();

  read(path: string, text: string, find: () => Found): Found {
    const known = this.#known.get(path);
    if (known?.text === text) return known.found;
    const found = find();
    if (this.#known.size >= mostFiles) this.#known.clear();
    this.#known.set(path, { text, found });
    return found;
  }
}
