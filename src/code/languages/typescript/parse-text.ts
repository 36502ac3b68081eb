import { type Tokens, tokenize } from '#code/lex/tokens.ts';
import { hasLongRun, isNestedTooDeeply } from './nesting.ts';
import type { Variant } from './reading.ts';
import { FlatTree } from './tree/flat-tree.ts';
import { type OxcLanguage, openParsers, type ParseProblem, type Parser } from './tree/parser.ts';

const languages: Readonly<Record<Variant, OxcLanguage>> = { ts: 'ts', tsx: 'tsx', dts: 'dts', js: 'jsx' };

/** Fills `tree` with the first parser that does not fail; each is slower but less experimental than the previous one. */
export function parseText(
  tree: FlatTree,
  text: string,
  variant: Variant,
  tokens: Tokens,
  parsers: readonly Parser[],
  utf8: Uint8Array | undefined,
): ParseProblem | null {
  let failure: unknown = null;
  for (const parser of parsers) {
    try {
      if (!parser.survivesLongRuns && hasLongRun(tokens)) throw new Error('nested too deeply');
      return parseWith(parser, tree, text, languages[variant], utf8);
    } catch (error) {
      failure = error;
    }
  }
  throw failure ?? new Error('no parser is left');
}

/** Most files parse without special options; scripts for Node may also return at their top level. */
function parseWith(
  parser: Parser,
  tree: FlatTree,
  text: string,
  language: OxcLanguage,
  utf8: Uint8Array | undefined,
): ParseProblem | null {
  const problem = parser.parse(text, language, 'unambiguous', tree, utf8);
  if (problem === null || parser.parse(text, language, 'commonjs', tree, utf8) === null) return null;
  return parser.parse(text, language, 'unambiguous', tree, utf8);
}

let parsers: readonly Parser[] | null = null;

/** A separate tree, for readers other than the facts; null for a text that does not parse. */
export async function syntaxOf(text: string, variant: Variant): Promise<FlatTree | null> {
  parsers ??= await openParsers();
  const tokens = tokenize(text);
  if (isNestedTooDeeply(tokens)) return null;
  const tree = new FlatTree();
  try {
    return parseText(tree, text, variant, tokens, parsers, undefined) === null ? tree : null;
  } catch {
    return null;
  }
}
