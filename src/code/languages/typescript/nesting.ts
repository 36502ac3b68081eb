import { hashWord } from '#code/lex/lexemes.ts';
import type { Tokens } from '#code/lex/tokens.ts';

/**
 * The parser is native and recursive: code nested too deeply would end the process, not throw. So brackets are counted
 * before parsing, and chains that nest without any: `a => a => …`, `a ? b : c ? …`, `!!!…`, `else if … else if …`.
 * The limits leave room on the stack of a worker thread, which is half as large as that of the main thread.
 */
const DEEPEST_BRACKETS = 1000;
const LONGEST_CHAIN = 2500;

const PLAIN = 0;
const OPENS = 1;
const CLOSES = 2;
const LINKS = 3;
/** Ends whatever chain came before it: a separator, or a word that only begins a statement. */
const ENDS = 4;
const LESS = 5;
const GREATER = 6;
const COLON = 7;
const DOT = 8;
const NAMESPACE = 9;
const SIGN = 10;

const marks = new Uint8Array(128);
for (const [characters, meaning] of [
  ['([{', OPENS],
  [')]}', CLOSES],
  ['=?!~*', LINKS],
  [',;', ENDS],
  ['<', LESS],
  ['>', GREATER],
  [':', COLON],
  ['.', DOT],
  ['+-', SIGN],
] as const) {
  for (const character of characters) marks[character.charCodeAt(0)] = meaning;
}

/** Meaning of keywords by hash, with open addressing: a map of numbers this large is several times slower. */
const SLOTS = 256;
const wordHashes = new Int32Array(SLOTS);
const wordMeanings = new Uint8Array(SLOTS);
for (const [list, meaning] of [
  [
    'if else for while do with new typeof void delete await yield keyof unique readonly infer extends async',
    LINKS,
  ],
  ['const var import export return throw enum', ENDS],
  ['namespace module', NAMESPACE],
] as const) {
  for (const word of list.split(' ')) {
    const slot = slotOf(hashWord(word));
    wordHashes[slot] = hashWord(word);
    wordMeanings[slot] = meaning;
  }
}

const ELSE = hashWord('else');
const LOWER_A = 97;
const LOWER_Z = 122;
const LONGEST_KEYWORD = 9;

/** A run without separators may be one expression of that many terms, nested to the left. */
const LONGEST_RUN = 10_000;

export function hasLongRun(tokens: Tokens): boolean {
  return tokens.longestRun > LONGEST_RUN;
}

export function isNestedTooDeeply(tokens: Tokens): boolean {
  if (tokens.deepestBrackets > DEEPEST_BRACKETS) return true;
  // A chain has no separators on its own level, so the usual file needs no closer look.
  if (tokens.longestRun <= LONGEST_CHAIN) return false;
  const chains: number[] = [];
  let chain = 0;
  let total = 0;
  let elements = 0;
  let dots = 0;
  let labels = 0;
  let before = PLAIN;
  let beforeThat = PLAIN;
  for (let i = 0; i < tokens.count; i++) {
    const meaning = meaningOf(tokens, i);
    const previous = before;
    const labelled = beforeThat === COLON;
    beforeThat = before;
    before = meaning;
    switch (meaning) {
      case OPENS:
        if (startsWithBrace(tokens, i)) chain = closed(chains, chain);
        chains.push(chain);
        chain = 0;
        dots = 0;
        break;
      case CLOSES:
        total -= chain;
        chain = closed(chains, chain);
        break;
      case ENDS:
        // `if (a) b; else …`: the chain goes on after the semicolon.
        if (tokens.hash[i] === 0 && tokens.hash[i + 1] === ELSE) break;
        total -= chain;
        chain = 0;
        break;
      case LINKS:
        chain++;
        total++;
        break;
      case SIGN:
        // Signs nest only as a run: a sum of many terms is a list to the parser.
        if (previous !== SIGN) break;
        chain++;
        total++;
        break;
      case LESS:
        // A tag that directly follows a tag is its child.
        if (previous === GREATER) elements++;
        chain++;
        total++;
        break;
      case GREATER:
        if (previous === LINKS || chain === 0) break;
        chain--;
        total--;
        break;
      case COLON:
        labels = labelled ? labels + 1 : 0;
        break;
      case NAMESPACE:
        dots = 1;
        break;
      case DOT:
        if (dots > 0) dots++;
        break;
    }
    if (total > LONGEST_CHAIN || elements > LONGEST_CHAIN || dots > LONGEST_CHAIN || labels > LONGEST_CHAIN)
      return true;
  }
  return false;
}

function closed(chains: number[], chain: number): number {
  return chains.length === 0 ? chain : (chains.pop() as number);
}

/** `}…${` in a template closes one bracket and opens the next. */
function startsWithBrace(tokens: Tokens, i: number): boolean {
  return tokens.codes[tokens.start[i] as number] === 125;
}

function meaningOf(tokens: Tokens, i: number): number {
  const { codes } = tokens;
  const start = tokens.start[i] as number;
  const end = tokens.end[i] as number;
  const code = codes[start] as number;
  if (end - start === 1)
    return code < 128 && (code < LOWER_A || code > LOWER_Z) ? (marks[code] as number) : PLAIN;
  if (code >= LOWER_A && code <= LOWER_Z) {
    if (end - start > LONGEST_KEYWORD) return PLAIN;
    return wordMeanings[slotOf(tokens.hash[i] as number)] as number;
  }
  if (code === 96 || code === 125) {
    if (codes[end - 1] === 123) return OPENS;
    return code === 125 ? CLOSES : PLAIN;
  }
  return PLAIN;
}

/** The slot of a hash, or the empty one where it would be. */
function slotOf(hash: number): number {
  let slot = hash & (SLOTS - 1);
  while (wordHashes[slot] !== hash && wordHashes[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}
