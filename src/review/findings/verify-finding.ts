import type { FileChange } from '#grounding/change/change.ts';
import type { ReviewerAnswer } from '#schema/review.ts';

export type Claimed = ReviewerAnswer['findings'][number];

/** A diff shows this many lines around a change. */
const context = 3;

/** Why a finding does not hold against the diff; null if it does. Such a finding is kept and never blocks. */
export function reasonUnverified(claim: Claimed, files: readonly FileChange[]): string | null {
  const file = files.find(({ path, oldPath }) => path === claim.file || oldPath === claim.file);
  if (!file) return `${claim.file} is not part of the change`;
  const text = file.after ?? file.before;
  if (text === null) return null;
  const both = `${file.before ?? ''}\n${file.after ?? ''}`;
  if (claim.quote !== undefined && claim.quote.trim() !== '' && !hasQuote(both, claim.quote))
    return 'the text it quotes is not in the file';
  if (claim.symbol !== undefined && !hasWord(both, claim.symbol))
    return `there is no ${claim.symbol} in ${claim.file}`;
  return claim.line === undefined ? null : reasonAgainstLine(claim, claim.line, file, text);
}

function reasonAgainstLine(claim: Claimed, line: number, file: FileChange, text: string): string | null {
  const last = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (line > last) return `${claim.file} has ${last} lines, and it names line ${line}`;
  if (file.status === 'added' || file.status === 'deleted') return null;
  const changed = [...file.lines.added, ...file.lines.removed];
  if (changed.some((each) => Math.abs(each.line - line) <= context)) return null;
  const { symbol } = claim;
  if (symbol !== undefined && changed.some((each) => hasWord(each.text, symbol))) return null;
  return `line ${line} is outside the diff`;
}

/** Ignores white space, which editors change. */
function hasQuote(text: string, quote: string): boolean {
  const flat = (part: string) => part.replaceAll(/\s+/g, ' ').trim();
  return flat(text).includes(flat(quote));
}

/** True for `User.save` if both words occur. */
export function hasWord(text: string, symbol: string): boolean {
  const words = symbol.split(/[^\p{L}\p{N}_$]+/u).filter((word) => word !== '');
  return words.length > 0 && words.every((word) => indexOfWord(text, word) >= 0);
}

function indexOfWord(text: string, word: string): number {
  const isPart = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return at;
  return -1;
}
