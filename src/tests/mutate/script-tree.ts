import { asBuffer, readApart } from '#code/extraction/read-apart.ts';
import { unpack } from '#code/facts/packing/unpack.ts';
import { syntaxOf } from '#code/languages/typescript/parse-text.ts';
import type { Variant } from '#code/languages/typescript/reading.ts';
import type { FlatTree } from '#code/languages/typescript/tree/flat-tree.ts';

/**
 * The tree of a script; null if it does not parse. Trees stay in the memory of their parser, so it is asked here, but only about a text
 * that the process for untrusted text has survived.
 */
export async function scriptTree(text: string, variant: Variant): Promise<FlatTree | null> {
  const [packed] = await readApart([{ kind: 'facts', language: variant, content: Buffer.from(text) }]);
  if (!(packed instanceof Uint8Array) || unpack(asBuffer(packed)).syntaxError !== null) return null;
  return syntaxOf(text, variant);
}
