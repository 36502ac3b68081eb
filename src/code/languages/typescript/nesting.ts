import { hashWord } from '#code/lex/lexemes.ts';
import type { Tokens } from '#code/lex/tokens.ts';

/**
 * The parser is native and recursive: code nested too deeply would crash the process, not throw. So brackets are counted before parsing,
 * and chains that nest without brackets: `a => a => …`, `a ? b : c ? …`, `!!!…`, `else if … else if …`. The limits fit the stack of a
 * worker thread, which is half as large as that of the main thread.
 */
const deepestBrackets = 1000;
const longestChain = 2500;

const plain = 0;
const opens = 1;
const closes = 2;
const links = 3;
/** Ends the previous chain: a separator, or a word that only starts a statement. */
const ends = 4;
const less = 5;
const greater = 6;
const colon = 7;
const dot = 8;
const namespace = 9;
const sign = 10;

const marks = new Uint8Array(128);
for (const [characters, meaning] of [
  ['([{', opens],
  [')]}', closes],
  ['=?!~*', links],
  [',;', ends],
  ['<', less],
  ['>', greater],
  [':', colon],
  ['.', dot],
  ['+-', sign],
] as const) {
  for (const character of characters) marks[character.charCodeAt(0)] = meaning;
}

/** Meaning of keywords by hash, with open addressing: a `Map` of such large numbers is several times slower. */
const slots = 256;
const wordHashes = new Int32Array(slots);
const wordMeanings = new Uint8Array(slots);
for (const [list, meaning] of [
  [
    'if else for while do with new typeof void delete await yield keyof unique readonly infer extends async',
    links,
  ],
  ['const var import export return throw enum', ends],
  ['namespace module', namespace],
] as const) {
  for (const word of list.split(' ')) {
    const slot = slotOf(hashWord(word));
    wordHashes[slot] = hashWord(word);
    wordMeanings[slot] = meaning;
  }
}

const elseWord = hashWord('else');
const lowerA = 97;
const lowerZ = 122;
const longestKeyword = 9;

/** A run without separators may be one expression with this many terms, nested to the left. */
const longestRun = 10_000;

export function hasLongRun(tokens: Tokens): boolean {
  return tokens.longestRun > longestRun;
}

export function isNestedTooDeeply(tokens: Tokens): boolean {
  if (tokens.deepestBrackets > deepestBrackets) return true;
  // A chain has no separators on its own level, so a usual file needs no further check.
  if (tokens.longestRun <= longestChain) return false;
  const chains: number[] = [];
  let chain = 0;
  let total = 0;
  let elements = 0;
  let dots = 0;
  let labels = 0;
  let before = plain;
  let beforeThat = plain;
  for (let i = 0; i < tokens.count; i++) {
    const meaning = meaningOf(tokens, i);
    const previous = before;
    const labelled = beforeThat === colon;
    beforeThat = before;
    before = meaning;
    switch (meaning) {
      case opens:
        if (startsWithBrace(tokens, i)) chain = closed(chains, chain);
        chains.push(chain);
        chain = 0;
        dots = 0;
        break;
      case closes:
        total -= chain;
        chain = closed(chains, chain);
        break;
      case ends:
        // `if (a) b; else …`: the chain continues after the semicolon.
        if (tokens.hash[i] === 0 && tokens.hash[i + 1] === elseWord) break;
        total -= chain;
        chain = 0;
        break;
      case links:
        chain++;
        total++;
        break;
      case sign:
        // Signs nest only as a run: the parser reads a sum of many terms as a list.
        if (previous !== sign) break;
        chain++;
        total++;
        break;
      case less:
        // A tag that directly follows a tag is its child.
        if (previous === greater) elements++;
        chain++;
        total++;
        break;
      case greater:
        if (previous === links || chain === 0) break;
        chain--;
        total--;
        break;
      case colon:
        labels = labelled ? labels + 1 : 0;
        break;
      case namespace:
        dots = 1;
        break;
      case dot:
        if (dots > 0) dots++;
        break;
    }
    if (total > longestChain || elements > longestChain || dots > longestChain || labels > longestChain)
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
    return code < 128 && (code < lowerA || code > lowerZ) ? (marks[code] as number) : plain;
  if (code >= lowerA && code <= lowerZ) {
    if (end - start > longestKeyword) return plain;
    return wordMeanings[slotOf(tokens.hash[i] as number)] as number;
  }
  if (code === 96 || code === 125) {
    if (codes[end - 1] === 123) return opens;
    return code === 125 ? closes : plain;
  }
  return plain;
}

/** The slot of a hash, or the empty slot where it belongs. */
function slotOf(hash: number): number {
  let slot = hash & (slots - 1);
  while (wordHashes[slot] !== hash && wordHashes[slot] !== 0) slot = (slot + 1) & (slots - 1);
  return slot;
}
