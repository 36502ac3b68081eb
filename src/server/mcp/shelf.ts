import { createHash } from 'node:crypto';
import { UsageError } from '#schema/errors.ts';

const mostResults = 50;

/** The newest results that were too long for an answer, for as long as the server runs. */
export class Shelf {
  readonly #texts = new Map<string, string>();

  put(text: string): string {
    const uri = `joinery://results/${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    this.#texts.delete(uri);
    this.#texts.set(uri, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > mostResults && oldest !== undefined) this.#texts.delete(oldest);
    return uri;
  }

  get(uri: string): string {
    const text = this.#texts.get(uri);
    if (text !== undefined) return text;
    throw new UsageError({
      code: 'NOT_FOUND',
      message: `there is no result ${uri}, or it has expired`,
      hint: 'call the tool again',
    });
  }

  list(): string[] {
    return [...this.#texts.keys()];
  }
}
