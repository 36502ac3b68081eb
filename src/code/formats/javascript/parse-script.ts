import { isNestedTooDeeply } from '#code/languages/typescript/nesting.ts';
import { sharedTransfer } from '#code/languages/typescript/tree/oxc-transfer.ts';
import { tokenize } from '#code/lex/tokens.ts';
import type { Node } from './estree.ts';

type Lang = 'ts' | 'tsx' | 'dts' | 'jsx';

interface Parsed {
  readonly program: object;
  readonly errors: readonly unknown[];
}

type Parse = (text: string, options: { readonly lang: Lang }) => Parsed;

const settings = { sourceType: 'unambiguous', astType: 'ts', preserveParens: false } as const;

let opened: Promise<Parse> | undefined;

/** The syntax tree of a script; null for a text that does not parse: its facts report the error. */
export async function parseScript(path: string, text: string): Promise<Node | null> {
  // Sending a tree as JSON takes twice as long, but works everywhere.
  opened ??= rawParse().catch(jsonParse);
  const parse = await opened;
  // The parser is native: it would end the process.
  if (isNestedTooDeeply(tokenize(text))) return null;
  try {
    const { program, errors } = parse(text, { lang: langOf(path) });
    return errors.length > 0 ? null : (program as Node);
  } catch {
    return null;
  }
}

/** Reads objects from oxc's own memory. */
export async function rawParse(): Promise<Parse> {
  const transfer = await sharedTransfer();
  const { deserialize } = await import('oxc-parser/src-js/generated/deserialize/ts.js');
  const { DATA_POINTER_POS_32, PROGRAM_OFFSET, SOURCE_LEN_OFFSET, SOURCE_START_OFFSET } = await import(
    'oxc-parser/src-js/generated/constants.js'
  );
  return (text, options) => {
    const buffer = transfer(text, undefined, { ...settings, ...options });
    const { int32 } = buffer;
    const program = (int32[DATA_POINTER_POS_32] as number) + PROGRAM_OFFSET;
    const [start, length] = [SOURCE_START_OFFSET, SOURCE_LEN_OFFSET].map(
      (offset) => int32[(program + offset) >> 2] as number,
    ) as [number, number];
    return deserialize(buffer, text, start, length);
  };
}

export async function jsonParse(): Promise<Parse> {
  const { parseSync } = await import('oxc-parser');
  return (text, options) => parseSync('file', text, { ...settings, ...options });
}

function langOf(path: string): Lang {
  if (path.endsWith('.d.ts')) return 'dts';
  if (/\.[cm]?ts$/.test(path)) return 'ts';
  return path.endsWith('.tsx') ? 'tsx' : 'jsx';
}
