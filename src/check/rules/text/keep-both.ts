import type { Owner } from '#check/findings/owner.ts';
import type { ReadMember } from '#check/members/member.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import type { Definition, Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { familyOf, languageOf } from '#code/languages/index.ts';
import { duplicateDefinitions } from '#code/link/duplicate-definitions.ts';
import type { Merge } from '#git/unions.ts';
import { symbolId } from '#schema/identity.ts';
import type { ConflictSite } from './conflict-sites.ts';
import { type Part, readConflicts } from './conflict-text.ts';
import { textProblem } from './text-problem.ts';

type Conflict = Extract<Merge, { status: 'conflict' }>;

/** T02: conflicts that go away by keeping both sides, because they touch different symbols. Said, never applied. */
export async function keepBothHints(
  a: ReadMember,
  b: ReadMember,
  { paths }: Conflict,
  read: (path: string) => Promise<string | null>,
  sites: readonly ConflictSite[],
  owner: Owner | undefined,
): Promise<DiagnosedProblem[]> {
  const hints: DiagnosedProblem[] = [];
  for (const path of paths) {
    const [ofA, ofB] = [a.tree.facts(path), b.tree.facts(path)];
    const text = ofA && ofB ? await read(path) : null;
    if (!ofA || !ofB || text === null) continue;
    const parts = readConflicts(text);
    if (parts.length === 1) continue;
    // With all facts in the cache no parser has been loaded yet.
    await languageOf(path)?.prepare();
    const touched = keepBoth(parts)
      .map((merged) => disjointSymbols(a.factsBefore(path), ofA, ofB, readFacts(path, merged), path))
      .find((found) => found !== null);
    const at = sites.find(({ side, place }) => side.ref === b.ref && place.file === path);
    if (touched) hints.push(hint(a, b, path, at?.place.line ?? 1, touched, owner));
  }
  return hints;
}

function readFacts(path: string, text: string): Facts | undefined {
  const facts = languageOf(path)?.extract(text);
  return facts?.syntaxError === null ? facts : undefined;
}

/** Up to this many lines that both sides share are taken for part of each. */
const mostSharedLines = 4;

/** The ways of keeping both sides of every conflict. Git leaves out what they share: a closing brace is in neither. */
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
}

/** The symbols each side touched, if no symbol is touched by both and the merged text has all of them as meant. */
function disjointSymbols(
  base: Facts | undefined,
  factsA: Facts,
  factsB: Facts,
  merged: Facts | undefined,
  path: string,
): Touched | null {
  if (!merged || duplicateDefinitions(merged, familyOf(path)).length > 0) return null;
  const [before, inA, inB, now] = [leaves(base), leaves(factsA), leaves(factsB), leaves(merged)];
  const ofA: string[] = [];
  const ofB: string[] = [];
  for (const name of new Set([...before.keys(), ...inA.keys(), ...inB.keys(), ...now.keys()])) {
    const old = before.get(name);
    const byA = inA.get(name) !== old;
    const byB = inB.get(name) !== old;
    if (byA && byB) return null;
    if (now.get(name) !== (byA ? inA : byB ? inB : before).get(name)) return null;
    if (byA) ofA.push(name);
    if (byB) ofB.push(name);
  }
  return ofA.length > 0 && ofB.length > 0 ? { ofA, ofB } : null;
}

/** Body hashes of what holds no other definition: a class changes with each of its members. */
function leaves(facts: Facts | undefined): Map<string, number> {
  const containers = new Set(facts?.definitions.map(({ container }) => container));
  const isLeaf = (definition: Definition) => !containers.has(symbolPath(definition));
  return new Map(
    (facts?.definitions ?? [])
      .filter(isLeaf)
      .map((definition) => [symbolPath(definition), definition.bodyHash]),
  );
}

function hint(
  a: ReadMember,
  b: ReadMember,
  path: string,
  line: number,
  { ofA, ofB }: Touched,
  owner: Owner | undefined,
): DiagnosedProblem {
  return {
    problem: textProblem([path], 'keeping both sides gives valid code', { line, column: 1 }),
    consumer: b,
    provider: a,
    diagnosis: {
      rule: 'T02',
      providerKey: symbolId(path, ''),
      confidence: 'likely',
      message: `the conflict in ${path} is one of place: ${a.ref} changes ${listed(ofA)}, ${b.ref} ${listed(ofB)}`,
      suggestion: `keep both sides of the conflict in ${path}, and read the result once`,
      fix: null,
      mechanical: { consumer: true, provider: true },
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
