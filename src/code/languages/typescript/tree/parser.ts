import { createRequire } from 'node:module';
import { readEstree } from './estree.ts';
import type { EstreeNode } from './estree-node.ts';
import type { FlatTree } from './flat-tree.ts';
import { firstErrorInBuffer, readBuffer } from './oxc-buffer.ts';
import { oxcVersion } from './oxc-layout.ts';
import { sharedTransfer } from './oxc-transfer.ts';

/** The languages as oxc names them. */
export type OxcLanguage = 'ts' | 'tsx' | 'dts' | 'jsx';

type SourceType = 'unambiguous' | 'commonjs';

export interface ParseProblem {
  readonly message: string;
  /** UTF-16 offset. */
  readonly offset: number;
}

/** One implementation that turns text into a flat tree. All of them give the same tree. */
export interface Parser {
  readonly name: 'buffer' | 'raw' | 'json';
  /** Sums of a hundred thousand terms nest deeply in the tree; where this is false they would crash the process. */
  readonly survivesLongRuns: boolean;
  /** Fills `tree`; returns the first error of the parser. Callers that have the text as UTF-8 pass it to save the encoding. */
  parse(
    text: string,
    language: OxcLanguage,
    sourceType: SourceType,
    tree: FlatTree,
    utf8?: Uint8Array,
  ): ParseProblem | null;
}

let opened: Promise<readonly Parser[]> | undefined;

/**
 * The parsers that work here, fastest first. The last one needs nothing experimental. One set per thread, shared by all readers: each
 * reserves gigabytes of address space.
 */
export function openParsers(): Promise<readonly Parser[]> {
  opened ??= openAll();
  return opened;
}

async function openAll(): Promise<readonly Parser[]> {
  const parsers: Parser[] = [];
  for (const open of [bufferParser, rawParser]) {
    try {
      parsers.push(await open());
    } catch {
      // Raw transfer needs a 64-bit little-endian machine and a recent Node.
    }
  }
  return [...parsers, await jsonParser()];
}

/** Reads the parser's buffer directly: no object per node. */
export async function bufferParser(): Promise<Parser> {
  const { version } = createRequire(import.meta.url)('oxc-parser/package.json');
  if (version !== oxcVersion) throw new Error(`the layout of oxc ${version} is not known`);
  const transfer = await sharedTransfer();
  const { DATA_POINTER_POS_32, PROGRAM_OFFSET } = await import('oxc-parser/src-js/generated/constants.js');
  return {
    name: 'buffer',
    survivesLongRuns: true,
    parse: (text, lang, sourceType, tree, utf8) => {
      const buffer = transfer(text, utf8, { lang, sourceType, preserveParens: false });
      const data = buffer.int32[DATA_POINTER_POS_32] as number;
      readBuffer(buffer, data + PROGRAM_OFFSET, tree);
      return firstErrorInBuffer(buffer, data);
    },
  };
}

/** Reads objects that oxc builds from its buffer. For deep trees it overflows the stack and throws. */
async function rawParser(): Promise<Parser> {
  const { rawTransferSupported } = await import('oxc-parser');
  if (!rawTransferSupported()) throw new Error('raw transfer is not supported here');
  return { ...(await estreeParser({ experimentalRawTransfer: true })), name: 'raw', survivesLongRuns: true };
}

/** Reads objects that oxc sends as JSON. */
export async function jsonParser(): Promise<Parser> {
  return { ...(await estreeParser({})), name: 'json', survivesLongRuns: false };
}

async function estreeParser(transfer: object): Promise<Pick<Parser, 'parse'>> {
  const { parseSync } = await import('oxc-parser');
  return {
    parse: (text, lang, sourceType, tree) => {
      const { program, errors } = parseSync('file', text, {
        lang,
        sourceType,
        astType: 'ts',
        preserveParens: false,
        ...transfer,
      });
      readEstree(program as unknown as EstreeNode, tree);
      const [error] = errors;
      return error === undefined ? null : { message: error.message, offset: error.labels[0]?.start ?? 0 };
    },
  };
}
