import type { Facts } from '#code/facts/facts.ts';
import { noFacts } from '#code/facts/no-facts.ts';
import { pack } from '#code/facts/packing/pack.ts';
import { unpack } from '#code/facts/packing/unpack.ts';
import { isDataFormat } from '#code/formats/index.ts';
import type { DataFacts } from '#code/formats/shared/data-facts.ts';
import { languageOf } from '#code/languages/index.ts';
import { type ParseRequest, type Reading, sizeOf } from './parser-messages.ts';
import { type Died, ParserProcess } from './parser-process.ts';

/** Two at most: one reads while the other is asked, and a second core helps with thousands of files. */
const parsers = [new ParserProcess(), new ParserProcess()] as const;

/** Texts that are read in one go. Less makes more messages, more takes longer to find the one that its parser died of. */
const sliceBytes = 128 * 1024;

/**
 * Readings in the order of the requests, made in another process: parsers read untrusted text, and some are native code. A text of which
 * the process dies, or that exceeds its bounds, gets a reading that says so; all others are read.
 */
export async function readApart(requests: readonly ParseRequest[], which: 0 | 1 = 0): Promise<Reading[]> {
  const parser = parsers[which];
  const slices = slicesOf(requests);
  const answers = await Promise.all(slices.map((slice) => parser.ask(slice)));
  const readings: Reading[] = [];
  for (const [at, slice] of slices.entries()) {
    const answer = answers[at] ?? [];
    if (!('died' in answer)) readings.push(...answer);
    else
      for (const request of slice)
        readings.push(await readAlone(parser, request, slice.length === 1 ? answer : null));
  }
  return readings;
}

/** After a death each text is read alone, so that only the one that causes it is unreadable. `before`: how it ended when it was alone. */
async function readAlone(
  parser: ParserProcess,
  request: ParseRequest,
  before: Died | null,
): Promise<Reading> {
  const answer = before?.isExcess ? before : await parser.ask([request]);
  if (!('died' in answer)) return answer[0] ?? null;
  const problem = { line: 1, column: 1, message: answer.died };
  if (request.kind === 'facts') return pack({ ...noFacts, syntaxError: problem });
  // The facts of a source file say the same.
  return isDataFormat(request.path) ? { problem: { line: 1, message: answer.died } } : null;
}

function slicesOf(requests: readonly ParseRequest[]): ParseRequest[][] {
  const slices: ParseRequest[][] = [];
  let room = 0;
  for (const request of requests) {
    const size = sizeOf(request);
    if (size > room || slices.length === 0) {
      slices.push([]);
      room = sliceBytes;
    }
    slices.at(-1)?.push(request);
    room -= size;
  }
  return slices;
}

/** The facts of one text; null when its language is not known. */
export async function factsOfText(path: string, text: string): Promise<Facts | null> {
  const [facts = null] = await factsOfTexts([[path, text]]);
  return facts;
}

/** The same for many, in their order. */
export async function factsOfTexts(
  texts: readonly (readonly [path: string, text: string])[],
): Promise<(Facts | null)[]> {
  const known = texts.flatMap(([path, text], at) => {
    const language = languageOf(path)?.id;
    return language === undefined
      ? []
      : [{ at, request: { kind: 'facts', language, content: Buffer.from(text) } as const }];
  });
  const readings = await readApart(known.map(({ request }) => request));
  const found: (Facts | null)[] = texts.map(() => null);
  for (const [index, { at }] of known.entries()) {
    const packed = readings[index];
    if (packed instanceof Uint8Array) found[at] = unpack(asBuffer(packed));
  }
  return found;
}

/** The shared data that a file describes; null when there is none. */
export async function dataOfText(path: string, text: string): Promise<DataFacts | null> {
  const [data = null] = await readApart([{ kind: 'data', path, text }]);
  return data instanceof Uint8Array ? null : data;
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
