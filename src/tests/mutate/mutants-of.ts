import { typescriptLanguageOf } from '#code/languages/typescript/index.ts';
import type { Edit } from './edit.ts';
import { pythonEdits } from './python-edits.ts';
import { scriptEdits } from './script-edits.ts';

export type MutableLanguage = 'ts' | 'tsx' | 'js' | 'python';

/** A small change of a text that tests of its line should notice. */
export interface Mutant {
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  /** `<` and `<=`. */
  readonly was: string;
  readonly becomes: string;
  /** The whole text with the change. It parses. */
  readonly text: string;
}

/** At most this many per attempt. */
const mostMutants = 20;

/** Longer files are generated and say nothing about their tests. */
const longestText = 1_000_000;

/** The language in which a file can be mutated; null for others. */
export function mutableLanguageOf(path: string): MutableLanguage | null {
  if (/\.py$/.test(path)) return 'python';
  const script = typescriptLanguageOf(path);
  return script === 'dts' ? null : script;
}

/**
 * Mutants of the changed lines: comparisons, conditions, arithmetic, constants, results and calls whose result is not used.
 * At most `most`, in the order of the text; if there are more, every line gets one before any gets two. The same text
 * always gives the same mutants; one that does not parse gives none.
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
    // Every test would notice a syntax error.
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

/** The first edit of each line, then the second of each, until there are enough; in the order of the text. */
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
