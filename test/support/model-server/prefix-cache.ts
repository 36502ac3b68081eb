/** Simulates a provider's prompt cache: the longest prefix that an earlier text had is read from the cache. */
export class PrefixCache {
  readonly #seen: string[] = [];

  /** Counts units of four characters, as a rough measure of tokens. */
  ask(prompt: string): { readonly in: number; readonly out: number; readonly cached: number } {
    const shared = Math.max(0, ...this.#seen.map((earlier) => sharedBeginning(earlier, prompt).length));
    this.#seen.push(prompt);
    return { in: Math.ceil(prompt.length / 4), out: 1, cached: Math.floor(shared / 4) };
  }
}

export function sharedBeginning(left: string, right: string): string {
  let end = 0;
  while (end < left.length && left[end] === right[end]) end += 1;
  return left.slice(0, end);
}
