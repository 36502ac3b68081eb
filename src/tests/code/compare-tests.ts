import { Heirs } from './heirs.ts';
import type { Assertion, TestCase } from './test-case.ts';

export interface Weakening {
  readonly how:
    | 'deleted'
    | 'skipped'
    | 'focused'
    | 'weaker'
    | 'assertion-removed'
    | 'fewer-cases'
    | 'timeout'
    | 'retries'
    | 'changed';
  readonly test: string;
  readonly line: number | null;
  readonly detail: string;
}

export interface TestPair {
  readonly before: TestCase;
  readonly after: TestCase;
}

export interface Matching {
  readonly pairs: readonly TestPair[];
  readonly lost: readonly TestCase[];
  readonly added: readonly TestCase[];
}

/** Matches tests before and after: by name, else by what they assert. */
export function matchTests(before: readonly TestCase[], after: readonly TestCase[]): Matching {
  const free = Map.groupBy(after, ({ id }) => id);
  const pairs: TestPair[] = [];
  const unmatched: TestCase[] = [];
  for (const test of before) {
    const twin = free.get(test.id)?.shift();
    if (!twin) unmatched.push(test);
    else if (test.id !== '' || !hasMovedInside(test, twin, before, after))
      pairs.push({ before: test, after: twin });
  }
  const rest = [...free.values()].flat().filter(({ id }) => id !== '');
  const byContent = unmatched.length === 0 ? new Map<string, TestCase[]>() : Map.groupBy(rest, contentOf);
  const missing: TestCase[] = [];
  for (const test of unmatched.filter(({ id }) => id !== '')) {
    const twin = test.assertions.length > 0 ? byContent.get(contentOf(test))?.shift() : undefined;
    if (twin) pairs.push({ before: test, after: twin });
    else missing.push(test);
  }
  const taken = new Set(pairs.map((pair) => pair.after));
  const added = new Set(rest.filter((test) => !taken.has(test)));
  const heirs = new Heirs(missing.length === 0 ? [] : [...added]);
  const lost = missing.filter((test) => {
    const heir = heirs.take(test);
    if (!heir) return true;
    added.delete(heir);
    pairs.push({ before: test, after: heir });
    return false;
  });
  return { pairs, lost, added: [...added] };
}

/** More pairs of assertions than people write by hand. */
const mostSearched = 10_000;

/** Assertions outside of tests may have moved into tests; if there are fewer in total, they were removed. */
function hasMovedInside(
  old: TestCase,
  now: TestCase,
  before: readonly TestCase[],
  after: readonly TestCase[],
): boolean {
  if (old.source === now.source || now.assertions.length >= old.assertions.length) return false;
  return assertionsIn(after) >= assertionsIn(before);
}

function assertionsIn(tests: readonly TestCase[]): number {
  return tests.reduce((sum, { assertions }) => sum + assertions.length, 0);
}

function contentOf(test: TestCase): string {
  return test.assertions
    .map(({ text }) => text)
    .toSorted()
    .join('\n');
}

/** How a test checks less than before. */
export function weakenings({ before, after }: TestPair): Weakening[] {
  const at = { test: after.id || before.id, line: after.line };
  const found: Weakening[] = [];
  if (before.runs === 'always' && after.runs !== 'always')
    found.push({
      ...at,
      how: 'skipped',
      detail: `${after.runs === 'never' ? 'no longer runs' : 'does not always run'}: ${after.skippedBy}`,
    });
  else if (before.runs === 'sometimes' && after.runs === 'never')
    found.push({ ...at, how: 'skipped', detail: `no longer runs: ${after.skippedBy}` });
  if (!before.focused && after.focused)
    found.push({ ...at, how: 'focused', detail: 'runs alone now, so that no other test of the file does' });
  if (before.rows !== null && after.rows !== null && after.rows < before.rows)
    found.push({ ...at, how: 'fewer-cases', detail: `tries ${after.rows} inputs, before ${before.rows}` });
  if (after.timeoutMs !== null && after.timeoutMs > (before.timeoutMs ?? usualTimeoutMs))
    found.push({
      ...at,
      how: 'timeout',
      detail: `may take ${after.timeoutMs} ms, before ${before.timeoutMs ?? 'the usual time'}`,
    });
  if (after.retries > before.retries)
    found.push({ ...at, how: 'retries', detail: `may fail ${after.retries} times before it counts` });
  if (before.source === after.source) return found;
  return [...found, ...weakerAssertions(before, after).map((each) => ({ ...at, ...each }))];
}

/** Default timeout of test runners. */
const usualTimeoutMs = 5000;

function weakerAssertions(before: TestCase, after: TestCase): Omit<Weakening, 'test'>[] {
  const [gone, come] = withoutCommon(before.assertions, after.assertions);
  if (gone.length * come.length > mostSearched) {
    const isLess = strengthOf(come) < strengthOf(gone);
    const detail = `asserts less in all: ${come.length} new assertions for ${gone.length} old ones`;
    return isLess ? [{ how: 'weaker', line: after.line, detail }] : [];
  }
  const free = [...come];
  const found: Omit<Weakening, 'test'>[] = [];
  const take = (isTwin: (now: Assertion) => boolean) => {
    const index = free.findIndex(isTwin);
    return index < 0 ? undefined : free.splice(index, 1)[0];
  };
  const bySubject = gone
    .map((old) => ({ old, twin: take((now) => now.text === old.text) }))
    .map(({ old, twin }) => ({ old, same: twin ?? take((now) => now.subject === old.subject) }));
  // The same matcher on a differently written subject, such as a call with other arguments.
  const byDemand = bySubject.map(({ old, same }) => ({
    old,
    same,
    alike: same ?? take((now) => demandOf(now) === demandOf(old)),
  }));
  for (const { old, same, alike } of byDemand) {
    const now = alike ?? free.shift();
    const merged = now ? undefined : come.find((each) => holds(each, old));
    if (merged)
      found.push({ how: 'changed', line: merged.line, detail: `has ${shown(merged)} for ${shown(old)}` });
    else if (!now && isTabled(before, after))
      found.push({ how: 'changed', line: after.line, detail: `has rows of inputs for ${shown(old)}` });
    else if (!now)
      found.push({ how: 'assertion-removed', line: after.line, detail: `no longer has: ${shown(old)}` });
    else if (now.strength < old.strength)
      found.push({ how: 'weaker', line: now.line, detail: `has ${shown(now)} instead of ${shown(old)}` });
    else if (isGuarded(old, now))
      found.push({
        how: 'weaker',
        line: now.line,
        detail: `has ${shown(now)} only if ${now.guards?.at(-1)}`,
      });
    else if (same && now.strength === old.strength && now.text !== old.text)
      found.push({ how: 'changed', line: now.line, detail: `expects ${shown(now)}, before ${shown(old)}` });
  }
  return found;
}

/** Conditions about the environment: a new one of these is a guard, even if another condition disappeared. */
const aboutPlace = /\benv(iron)?\b|\bCI\b|\bplatform\b|^(not )?(true|false|True|False|0|1)$/;

/** Whether the assertion depends on more conditions than before. */
function isGuarded({ guards: old = [] }: Assertion, { guards: now = [] }: Assertion): boolean {
  return now.length > old.length || now.some((guard) => aboutPlace.test(guard) && !old.includes(guard));
}

function withoutCommon(
  before: readonly Assertion[],
  after: readonly Assertion[],
): [Assertion[], Assertion[]] {
  const counts = new Map<string, number>();
  for (const each of after) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  const gone = before.filter((each) => {
    const left = counts.get(keyOf(each)) ?? 0;
    counts.set(keyOf(each), left - 1);
    return left <= 0;
  });
  const old = new Map<string, number>();
  for (const each of before) old.set(keyOf(each), (old.get(keyOf(each)) ?? 0) + 1);
  const come = after.filter((each) => {
    const left = old.get(keyOf(each)) ?? 0;
    old.set(keyOf(each), left - 1);
    return left <= 0;
  });
  return [gone, come];
}

/** Whether it asserts at least as much about the same call. */
function holds(now: Assertion, old: Assertion): boolean {
  return now.strength >= old.strength && /\w\(/.test(old.subject) && now.subject.includes(old.subject);
}

function isTabled(before: TestCase, after: TestCase): boolean {
  const rows = Math.max(1, after.rows ?? 1);
  return rows > (before.rows ?? 1) && rows * strengthOf(after.assertions) >= strengthOf(before.assertions);
}

function keyOf({ text, guards = [] }: Assertion): string {
  return [text, ...guards].join('\0');
}

export function strengthOf(assertions: readonly Assertion[]): number {
  return assertions.reduce((sum, { strength }) => sum + strength, 0);
}

/** The assertion without its subject. */
function demandOf({ text, subject, demand }: Assertion): string {
  return demand ?? (subject === '' ? text : text.replace(subject, () => ''));
}

const longest = 90;

function shown({ text }: Assertion): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
