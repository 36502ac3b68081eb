import { isUtf8 } from 'node:buffer';
import { pack } from '#code/facts/packing/pack.ts';
import { languageWithId } from '#code/languages/index.ts';
import { decode } from './decode.ts';

/** A blob to extract, with its language. */
export interface Extraction {
  readonly language: string;
  readonly content: Uint8Array;
}

/** Packed facts in the order of the requests; null for a blob that is not text. The same on every thread. */
export async function extractAll(requests: readonly Extraction[]): Promise<(Buffer | null)[]> {
  const languages = requests.map(({ language }) => languageWithId(language));
  await Promise.all([...new Set(languages)].map((language) => language?.prepare()));
  return requests.map(({ content }, index) => {
    // Decoded one by one: texts that are no longer needed can be collected early.
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const text = decode(bytes);
    const language = languages[index];
    if (text === null || !language) return null;
    return pack(language.extract(text, isUtf8(bytes) ? bytes : undefined));
  });
}
