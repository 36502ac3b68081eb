import { type EstreeNode, readEstree } from './estree.ts';
import type { FlatTree } from './flat-tree.ts';
import { firstErrorInBuffer, readBuffer } from './oxc-buffer.ts';
import { OXC_VERSION } from './oxc-layout.ts';

/** The languages as oxc names them. */
export type OxcLanguage = 'ts' | 'tsx' | 'dts' | 'jsx';

export interface ParseProblem {
  readonly message: string;
  /** UTF-16 offset. */
  readonly offset: number;
}

/** One way from text to a flat tree. All ways give the same tree. */
export interface Parser {
  readonly name: 'buffer' | 'raw' | 'json';
  /** Fills `tree`; returns the first error the parser met. */
  parse(text: string, language: OxcLanguage, sourceType: SourceType, tree: FlatTree): ParseProblem | null;
}

export type SourceType = 'unambiguous' | 'commonjs';

/** Reads the parser's buffer in place: no object per node. */
export async function bufferParser(): Promise<Parser> {
  const { parseSyncRawImpl, returnBufferToCache } = await import('oxc-parser/src-js/raw-transfer/common.js');
  const { DATA_POINTER_POS_32, PROGRAM_OFFSET } = await import('oxc-parser/src-js/generated/constants.js');
  return {
    name: 'buffer',
    parse: (text, lang, sourceType, tree) =>
      parseSyncRawImpl('file', text, { lang, sourceType }, (buffer) => {
        const data = buffer.int32[DATA_POINTER_POS_32] as number;
        readBuffer(buffer, data + PROGRAM_OFFSET, tree);
        const problem = firstErrorInBuffer(buffer, data);
        returnBufferToCache(buffer);
        return problem;
      }),
  };
}

/** Reads the tree as objects: `raw` hands them over in memory, `json` as text. */
export async function estreeParser(name: 'raw' | 'json'): Promise<Parser> {
  const { parseSync } = await import('oxc-parser');
  const transfer = name === 'raw' ? { experimentalRawTransfer: true } : {};
  return {
    name,
    parse: (text, lang, sourceType, tree) => {
      const { program, errors } = parseSync('file', text, { lang, sourceType, astType: 'ts', ...transfer });
      readEstree(program as unknown as EstreeNode, tree);
      const [error] = errors;
      return error === undefined ? null : { message: error.message, offset: error.labels[0]?.start ?? 0 };
    },
  };
}
