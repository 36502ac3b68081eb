import type { CriterionResult, Paths } from '#grounding/change/change.ts';
import { compileGlobs } from '#lib/glob.ts';
import type { Gate } from '#schema/gates.ts';
import { Glob } from '#schema/glob.ts';
import type { Task } from '#schema/plan.ts';
import { readTests } from '#tests/code/read-tests.ts';
import { isTestCode } from '#tests/code/test-path.ts';
import { missingFrom } from './schema-check.ts';

type Criterion = Task['acceptance'][number];
type Found = Omit<CriterionResult, 'criterion'>;

/** The result of a command that a criterion asked for. */
export interface CommandEnd {
  readonly status: 'passed' | 'failed' | 'not-run';
  /** For a test command: the number of passed tests; null if its output does not say. */
  readonly passed: number | null;
  readonly failed: number | null;
  /** Names of passed tests, if the output has them. */
  readonly passing: readonly string[];
  readonly detail: string;
}

export interface CriteriaRoom {
  readonly tip: Paths;
  /** Gates of the base commit. */
  readonly gates: readonly Gate[];
  read(path: string): Promise<string | null>;
  /**
   * Runs a gate's command in the worktree, with a path appended if the command takes one, and with an option that lists each
   * test if `isNamed`.
   */
  run(gate: Gate, path: string | null, isNamed: boolean): Promise<CommandEnd>;
}

/** Verifies each criterion of the recorded plan as it specifies; what cannot be verified stays unverified. */
export async function verifyCriteria(
  criteria: readonly Criterion[],
  room: CriteriaRoom,
): Promise<CriterionResult[]> {
  const results: CriterionResult[] = [];
  // One after the other: they share a worktree.
  for (const criterion of criteria) results.push({ criterion, ...(await verify(criterion, room)) });
  return results;
}

function verify({ verifyBy, arg }: Criterion, room: CriteriaRoom): Promise<Found> | Found {
  switch (verifyBy) {
    case 'manual':
      return { status: 'unverified', detail: 'a person has to look' };
    case 'file_exists':
      return arg === undefined ? unnamed('path') : fileExists(arg, room.tip);
    case 'schema_check':
      return arg === undefined ? unnamed('path') : schemaCheck(arg, room);
    case 'lint':
      return lint(arg, room);
    case 'test':
      return test(arg, room);
  }
}

function unnamed(what: string): Found {
  return { status: 'unverified', detail: `it names no ${what}` };
}

function fileExists(arg: string, tip: Paths): Found {
  const path = arg.replace(/^\.\//, '').replace(/\/$/, '');
  if (!Glob.safeParse(path).success) return unnamed('file that can be looked for');
  const isThere =
    tip.has(path) ||
    tip.isDirectory(path) ||
    (/[*?{]/.test(path) && tip.matching(compileGlobs([path])).length > 0);
  return isThere ? { status: 'met', detail: '' } : { status: 'unmet', detail: `${arg} does not exist` };
}

async function schemaCheck(arg: string, room: CriteriaRoom): Promise<Found> {
  const [path = '', name = null] = arg.split('#');
  const text = room.tip.has(path) ? await room.read(path) : null;
  if (text === null) return { status: 'unmet', detail: `${path} does not exist` };
  const missing = await missingFrom(path, text, name);
  return missing === null ? { status: 'met', detail: '' } : { status: 'unmet', detail: missing };
}

async function lint(arg: string | undefined, room: CriteriaRoom): Promise<Found> {
  const named = room.gates.filter(({ id, kind }) => id === arg || kind === arg);
  const gates = named.length > 0 ? named : room.gates.filter(({ kind }) => kind === 'lint');
  if (gates.length === 0) return { status: 'unverified', detail: 'the base defines no lint gate' };
  for (const gate of gates) {
    const { status, detail } = await room.run(gate, null, false);
    if (status === 'not-run') return { status: 'inconclusive', detail };
    if (status === 'failed') return { status: 'unmet', detail };
  }
  return { status: 'met', detail: '' };
}

/** `arg` names a test file, or a test by its title. */
async function test(arg: string | undefined, room: CriteriaRoom): Promise<Found> {
  const place = arg === undefined ? { path: null, title: null, missing: null } : await findTest(arg, room);
  if (place.missing !== null) return { status: 'unmet', detail: place.missing };
  const gate = room.gates.find(({ kind }) => kind === 'test');
  if (!gate) return { status: 'unverified', detail: 'the base defines no test gate' };
  const { status, passed, failed, passing, detail } = await room.run(gate, place.path, place.title !== null);
  if (status === 'not-run') return { status: 'inconclusive', detail };
  if (status === 'failed' || (failed ?? 0) > 0) return { status: 'unmet', detail };
  if (passed === null) return { status: 'unverified', detail: 'its output does not show that a test ran' };
  if (place.title !== null && passed > 0) return byTitle(place.title, passing, passed);
  return passed > 0
    ? { status: 'met', detail: `${passed} passed` }
    : { status: 'unmet', detail: 'no test ran' };
}

/** Other passing tests in its file say nothing about this one. */
function byTitle(title: string, passing: readonly string[], passed: number): Found {
  const wanted = plain(title);
  const name = passing.find((each) => plain(each).includes(wanted));
  if (name !== undefined) return { status: 'met', detail: `passed: ${name}` };
  return passing.length >= passed
    ? { status: 'unmet', detail: `no test ${JSON.stringify(title)} ran and passed` }
    : { status: 'unverified', detail: 'its output does not name every test that passed' };
}

/** Runners put different characters between suites and titles. */
function plain(name: string): string {
  return name.replace(/ [>›] |::/g, ' ');
}

async function findTest(
  arg: string,
  room: CriteriaRoom,
): Promise<{ path: string | null; title: string | null; missing: string | null }> {
  const path = arg.replace(/^\.\//, '');
  const isPath = /\.\w+$/.test(path) && !/\s/.test(path);
  const tests = room.tip.matching(isTestCode);
  const file = room.tip.has(path) ? path : tests.find((each) => each.endsWith(`/${path}`));
  if (isPath)
    return file
      ? { path: file, title: null, missing: null }
      : { path: null, title: null, missing: `${arg} does not exist` };
  for (const each of tests) {
    const text = await room.read(each);
    const found = text?.includes(arg)
      ? readTests(each, text)?.cases.find(({ id }) => id.includes(arg))
      : undefined;
    if (found)
      return found.runs === 'never'
        ? { path: null, title: arg, missing: `the test ${JSON.stringify(arg)} is skipped` }
        : { path: each, title: arg, missing: null };
  }
  return { path: null, title: arg, missing: `there is no test ${JSON.stringify(arg)}` };
}
