import { factsOfTexts } from '#code/extraction/read-apart.ts';
import type { Definition, Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf } from '#code/languages/index.ts';
import { isPartOfResult } from '#code/languages/shared/results.ts';
import { symbolId } from '#schema/identity.ts';
import type { Found, Rule, TextPair } from './rule.ts';
import { conflictOwner } from './text/conflict-owner.ts';
import { type Part, readConflicts } from './text/conflict-text.ts';
import { textProblem } from './text/text-problem.ts';

export const autoResolvableConflict = {
  id: 'T02',
  name: 'auto-resolvable-conflict',
  category: 'text',
  severity: 'info',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.92,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 16, real: 16 },
  what: 'Git reports a conflict, but the two edits touch different symbols: both add something at the same spot, or edit neighbours. Keeping both is very likely right.',
  example: {
    a: ['  class Report:', '+     def to_json(self): ...'],
    b: ['  class Report:', '+     def to_yaml(self): ...'],
  },
  move: 'Resolve the conflict by keeping both additions, and read the result once: order can matter.',
  proof: ['likely'],
  owner: 'stated',
  detect: {
    text: keepBothHints,
  },
} satisfies Rule;

/** Conflicts that keeping both sides resolves, because the sides change different symbols. Suggested, never applied. */
async function keepBothHints(pair: TextPair): Promise<Found[]> {
  const { a, b, conflict, sites, read } = pair;
  const hints: Found[] = [];
  for (const path of conflict?.paths ?? []) {
    const [ofA, ofB] = [a.tree.facts(path), b.tree.facts(path)];
    if (!ofA || !ofB) continue;
    const wanted = disjointChanges(a.factsBefore(path), ofA, ofB);
    const text = wanted ? await read(path) : null;
    if (!wanted || text === null) continue;
    const parts = readConflicts(text);
    if (parts.length === 1) continue;
    const merged = await factsOfTexts([...keepBoth(parts)].map((each) => [path, each]));
    if (!merged.some((facts) => isKept(wanted, facts?.syntaxError === null ? facts : undefined, path)))
      continue;
    const at = sites.find(({ side, place }) => side.ref === b.ref && place.file === path);
    hints.push(hint(pair, path, at?.place.line ?? 1, wanted));
  }
  return hints;
}

/** At most this many shared lines are repeated for each side. */
const mostSharedLines = 4;

/** The ways to keep both sides of every conflict. Git leaves out what they share: a closing brace is in neither. */
function* keepBoth(parts: readonly Part[]): Generator<string> {
  for (let shared = 0; shared <= mostSharedLines; shared++) {
    yield joined(parts, shared, 0);
    if (shared > 0) yield joined(parts, 0, shared);
  }
}

/** First one side with the lines that follow the conflict, then the lines that precede it with the other side. */
function joined(parts: readonly Part[], following: number, preceding: number): string {
  const kept: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'merged') {
      kept.push(...part.lines);
      continue;
    }
    const after = parts[index + 1];
    const start = kept.length;
    kept.push(...part.ours);
    if (after?.kind === 'merged') kept.push(...after.lines.slice(0, following));
    kept.push(...kept.slice(Math.max(0, start - preceding), start), ...part.theirs);
  }
  return kept.join('\n');
}

interface Touched {
  readonly ofA: string[];
  readonly ofB: string[];
  /** Every symbol as written by the side that changed it. */
  readonly result: ReadonlyMap<string, number>;
}

/**
 * The symbols each side changed, if no symbol is changed by both. Computed without the merged text, which takes long to parse: branches
 * that have been apart for years conflict in every large file.
 */
function disjointChanges(base: Facts | undefined, factsA: Facts, factsB: Facts): Touched | null {
  const [before, inA, inB] = [leaves(base), leaves(factsA), leaves(factsB)];
  const ofA: string[] = [];
  const ofB: string[] = [];
  const result = new Map<string, number>();
  for (const name of new Set([...before.keys(), ...inA.keys(), ...inB.keys()])) {
    const old = before.get(name);
    const byA = inA.get(name) !== old;
    const byB = inB.get(name) !== old;
    if (byA && byB) return null;
    if (byA) ofA.push(name);
    if (byB) ofB.push(name);
    const hash = (byA ? inA : byB ? inB : before).get(name);
    if (hash !== undefined) result.set(name, hash);
  }
  return ofA.length > 0 && ofB.length > 0 ? { ofA, ofB, result } : null;
}

/** Whether the merged text has each symbol once, as its side wrote it, and no other. */
function isKept({ result }: Touched, merged: Facts | undefined, path: string): boolean {
  if (!merged || dialectOf(path)?.names.duplicates(merged).length !== 0) return false;
  const now = leaves(merged);
  return now.size === result.size && [...result].every(([name, hash]) => now.get(name) === hash);
}

/** Body hashes of definitions that contain no other: a class changes with each of its members. */
function leaves(facts: Facts | undefined): Map<string, number> {
  const definitions = (facts?.definitions ?? []).filter((definition) => !isPartOfResult(definition));
  const containers = new Set(definitions.map(({ container }) => container));
  const isLeaf = (definition: Definition) => !containers.has(symbolPath(definition));
  return new Map(
    definitions.filter(isLeaf).map((definition) => [symbolPath(definition), definition.bodyHash]),
  );
}

function hint(pair: TextPair, path: string, line: number, { ofA, ofB }: Touched): Found {
  const { a, b } = pair;
  const owner = conflictOwner(pair);
  return {
    problem: textProblem('T02', [path], 'keeping both sides gives valid code', { line, column: 1 }),
    consumer: b,
    provider: a,
    diagnosis: {
      providerKey: symbolId(path, ''),
      confidence: 'likely',
      message: `the conflict in ${path} is only about position: ${a.ref} changes ${listed(ofA)}, ${b.ref} ${listed(ofB)}`,
      suggestion: `keep both sides of the conflict in ${path}, and read the result once`,
      provider: null,
      sitesAreOfBranch: true,
      ...(owner ? { owner } : {}),
    },
  };
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
