import { typescriptLanguageOf } from '#code/languages/typescript/index.ts';
import type { Edit } from './edit.ts';
import { pythonEdits } from './python-edits.ts';
import { scriptEdits } from './script-edits.ts';

export type MutableLanguage = 'ts' | 'tsx' | 'js' | 'python';

/** One small change of a text that a test of these lines should notice. */
export interface Mutant {
  /** Where it is, counted from 1. */
  readonly line: number;
  readonly column: number;
  /** `<` and `<=`. */
  readonly was: string;
  readonly becomes: string;
  /** All of the text with the change. It parses. */
  readonly text: string;
}

/** As many as the tests of an attempt are asked about. */
const mostMutants = 20;

/** Longer than what people write; a generated file says nothing about its tests. */
const longestText = 1_000_000;

/** The language in which a file can be mutated; null of any other. */
export function mutableLanguageOf(path: string): MutableLanguage | null {
  if (/\.py$/.test(path)) return 'python';
  const script = typescriptLanguageOf(path);
  return script === 'dts' ? null : script;
}

/**
 * Mutants of the changed lines: comparisons, conditions, arithmetic, constants, results and calls for their effect. At most
 * `most`, in the order of the text; where there are more, every line gets one before any gets two. The same text always
 * gives the same mutants; one that does not parse gives none.
 */
export async function mutantsOf(
  text: string,
  language: MutableLanguage,
  changedLines: ReadonlySet<number>,
  most: number = mostMutants,
): Promise<Mutant[]> {
  if (text.length > longestText || changedLines.size === 0) return [];
  const edits = await editsOf(text, language);
  const starts = lineStarts(text);
  const placed = (edits ?? []).flatMap((edit) => {
    const line = lineAt(starts, edit.start);
    return changedLines.has(line) ? [{ ...edit, line }] : [];
  });
  const mutants: Mutant[] = [];
  for (const { start, end, line, becomes } of spread(placed, most)) {
    const mutated = text.slice(0, start) + becomes + text.slice(end);
    // What does not even parse would be noticed by every test.
    if ((await editsOf(mutated, language)) === null) continue;
    const column = start - (starts[line - 1] ?? 0) + 1;
    mutants.push({ line, column, was: text.slice(start, end), becomes, text: mutated });
  }
  return mutants;
}

function editsOf(text: string, language: MutableLanguage): Promise<Edit[] | null> {
  return language === 'python' ? pythonEdits(text) : scriptEdits(text, language);
}

type Placed = Edit & { readonly line: number };

/** The first of each line, then the second of each, until there are enough; in the order of the text. */
function spread(edits: readonly Placed[], most: number): Placed[] {
  const ordered = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const seen = new Map<number, number>();
  const ranked = ordered.map((edit) => {
    const rank = seen.get(edit.line) ?? 0;
    seen.set(edit.line, rank + 1);
    return { edit, rank };
  });
  const chosen = ranked.sort((a, b) => a.rank - b.rank || a.edit.start - b.edit.start).slice(0, most);
  return chosen.map(({ edit }) => edit).sort((a, b) => a.start - b.start || a.end - b.end);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
