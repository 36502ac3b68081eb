import type { FileChange } from '#grounding/change/change.ts';
import type { TestDamage } from '#grounding/integrity/test-integrity.ts';
import type { GroundingPolicy } from '#schema/grounding.ts';
import type { RiskFile, RiskReport, RiskSignal } from '#schema/proof.ts';
import { isCode, isTestCode } from '#tests/code/test-path.ts';
import { isTestFor, needsTest, stemOf, subjectOf } from '#tests/code/tests-for.ts';
import { decisionsAdded, publicInLines } from './code-signals.ts';
import { reasonLeftOut } from './left-out.ts';

/** What is known about a change when its risk is measured. */
export interface RiskInput {
  readonly files: readonly FileChange[];
  readonly damage: readonly TestDamage[];
  /** Number of tests and assertions before and after; null if the tests cannot be separated. */
  testsIn(file: FileChange): { readonly before: number; readonly after: number } | null;
  /** Names that a module newly exports; null for a language without facts. */
  newNames(file: FileChange): readonly string[] | null;
  readonly policy: GroundingPolicy;
}

const weights: Readonly<Record<RiskSignal, number>> = {
  migration: 4,
  'security-path': 3,
  'test-lines-removed': 3,
  'assertion-weakened': 3,
  'no-test-change': 2.5,
  'public-api': 2,
  complexity: 1.5,
  'ui-critical': 1.5,
  'lines-changed': 1,
};

const fullComplexity = 10;
const fullLines = 200;
const high = 6;
const medium = 3;

const securityWord =
  /(^|[/_.-])(auth(n|z|entication|orization)?|log-?in|sign-?in|sessions?|tokens?|crypt(o|ography)?|secrets?|passwords?|permissions?|payments?|keychain|oauth2?|jwt|acl|csrf)([/_.-]|$)/;
const migrationPath = /\.sql$|(^|\/)(migrations?|alembic)\//i;
const uiPath =
  /(View|ViewController|Screen|Configuration)\.(swift|kt|m)$|^(?=.*(?<![^/])(?:pages|screens|views|layouts)\/).*\.(tsx|jsx|vue|svelte)$/;

interface Signal {
  readonly name: RiskSignal;
  readonly share: number;
  readonly detail: string;
}

/** Which files of a change to read first. The order of the input does not matter. */
export function scoreRisk(input: RiskInput): Pick<RiskReport, 'files' | 'leftOut' | 'inconclusive'> {
  const tests = Map.groupBy(
    input.files.filter(({ path, oldPath }) => isTestCode(path) || isTestCode(oldPath)),
    ({ path }) => subjectOf(path),
  );
  const files: RiskFile[] = [];
  const leftOut: RiskReport['leftOut'] = [];
  for (const file of input.files) {
    const why = reasonLeftOut(file);
    if (why !== null) leftOut.push({ path: file.path, why });
    else files.push(scored(file, signalsOf(file, input, tests)));
  }
  return {
    files: files.sort((a, b) => b.score - a.score || byPath(a, b)),
    leftOut: leftOut.sort(byPath),
    inconclusive: input.files
      .flatMap(({ path, unreadable }) => (unreadable === null ? [] : [{ file: path, reason: unreadable }]))
      .sort((a, b) => (a.file < b.file ? -1 : 1)),
  };
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function scored({ path }: FileChange, found: readonly Signal[]): RiskFile {
  const signals = found.map((signal) => ({ ...signal, weight: weights[signal.name] }));
  const score = round(signals.reduce((sum, { weight, share }) => sum + weight * share, 0));
  return { path, score, level: score >= high ? 'high' : score >= medium ? 'medium' : 'low', signals };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

type Tests = ReadonlyMap<string, readonly FileChange[]>;

function signalsOf(file: FileChange, input: RiskInput, tests: Tests): Signal[] {
  const { path, oldPath, lines } = file;
  const isTest = isTestCode(path) || isTestCode(oldPath);
  const found: (Signal | null)[] = [
    whole('migration', migrationPath.test(path) && !isTest, 'changes stored data'),
    whole('security-path', securityWord.test(words(path)), 'its path names security code'),
    ...(isTest ? testSignals(file, input) : sourceSignals(file, input, tests)),
    whole('ui-critical', uiPath.test(path), 'a page that people see'),
    part('lines-changed', lines.added.length + lines.removed.length, fullLines, 'lines changed'),
  ];
  return found.filter((signal) => signal !== null);
}

/** `src/loginForm.ts` as `src/login-form.ts`. */
function words(path: string): string {
  return path.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}

function whole(name: RiskSignal, holds: boolean, detail: string): Signal | null {
  return holds ? { name, share: 1, detail } : null;
}

function part(name: RiskSignal, count: number, full: number, noun: string): Signal | null {
  return count > 0 ? { name, share: round(Math.min(1, count / full)), detail: `${noun}: ${count}` } : null;
}

function testSignals(file: FileChange, input: RiskInput): (Signal | null)[] {
  const counts = input.testsIn(file);
  const { added, removed } = file.lines;
  const isLess =
    file.after === null || (counts ? counts.after < counts.before : removed.length > added.length);
  const weaker = input.damage.filter((each) => each.file === file.path && !each.key.startsWith('deleted'));
  return [
    whole('test-lines-removed', isLess, counts ? 'it holds fewer tests or assertions' : 'it is shorter now'),
    whole('assertion-weakened', weaker.length > 0, weaker[0]?.message ?? ''),
  ];
}

function sourceSignals(file: FileChange, input: RiskInput, tests: Tests): (Signal | null)[] {
  const { path, after, before } = file;
  if (!isCode(path)) return [];
  const { policy } = input;
  const near =
    policy.testsFor.length > 0 ? [...tests.values()].flat() : (tests.get(stemOf(path).toLowerCase()) ?? []);
  const isPaired = near.some((test) => isTestFor(test.path, path, policy));
  const names = input.newNames(file) ?? publicInLines(file);
  return [
    whole(
      'no-test-change',
      !isPaired && needsTest(path, after ?? before ?? '', policy),
      'no test of it changed',
    ),
    whole('public-api', names.length > 0, `offers ${names.slice(0, 3).join(', ')}`),
    part('complexity', decisionsAdded(file), fullComplexity, 'decisions added'),
  ];
}
