import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { buildRepository } from '#test/support/scenario/build-repository.ts';
import { type NamedScenario, readScenarios } from '#test/support/scenario/read-scenarios.ts';
import { mergeText, writeTrees } from '#test/support/scenario/trees.ts';

/*
 * Who guards the scenarios? git, the TypeScript compiler and the Python interpreter: text that should merge
 * merges, each branch is fine alone, a blocking conflict breaks the union and a benign twin does not.
 */

interface Case {
  readonly scenario: NamedScenario;
  readonly index: number;
  /** Who meets in the union: the branches, and base when it has moved. */
  readonly members: readonly string[];
  readonly merges: boolean;
}

const root = mkdtempSync(join(tmpdir(), 'joinery-oracle-'));
afterAll(() => rm(root, { recursive: true, force: true }), 300_000);

const cases = await writeCases(readScenarios());
const python = spawnSync('python3', ['--version']).status === 0;

/** Folders are named `<index>.<base, main, a, b, c or union>`. */
async function writeCases(scenarios: readonly NamedScenario[]): Promise<Case[]> {
  const git = await buildRepository(scenarios, join(root, 'repository'));
  const members = scenarios.map(({ branches, main }) => [
    ...(main ? ['main'] : []),
    ...branches.map(({ name }) => name),
  ]);
  const unions = await mergeText(
    git,
    members.map((names, index) => names.map((name) => `${index}/${name}`)),
  );
  const revisions = scenarios.flatMap(({ main }, index) => [
    [`${index}.base`, `${index}/main${main ? '~1' : ''}`] as const,
    ...(members[index] ?? []).map((name) => [`${index}.${name}`, `${index}/${name}`] as const),
  ]);
  const ids = await git.text(['rev-parse', ...revisions.map(([, revision]) => `${revision}^{tree}`)]);
  const trees = new Map(ids.split('\n').map((id, index) => [revisions[index]?.[0] ?? '', id]));
  for (const [index, tree] of unions.entries()) if (tree) trees.set(`${index}.union`, tree);
  mkdirSync(join(root, 'trees'));
  await writeTrees(git, trees, join(root, 'trees'));
  return scenarios.map((scenario, index) => ({
    scenario,
    index,
    members: members[index] ?? [],
    merges: unions[index] !== null,
  }));
}

function foldersOf({ index, members, merges }: Case): string[] {
  return ['base', ...members, ...(merges ? ['union'] : [])].map((name) => `${index}.${name}`);
}

function hasFiles({ scenario }: Case, pattern: RegExp): boolean {
  return [scenario.base, ...scenario.branches.map(({ changes }) => changes)].some((files) =>
    [...files.keys()].some((path) => pattern.test(path)),
  );
}

type Errors = ReadonlyMap<string, ReadonlySet<string>>;

const strictSettings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2022'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    jsx: 'preserve',
    types: [],
  },
};

/** Errors by folder, without positions: merging moves lines. One compiler run for everything. */
function compile(folders: readonly string[]): Errors {
  const cwd = join(root, 'trees');
  for (const folder of folders) {
    const path = join(cwd, folder, 'tsconfig.json');
    if (!existsSync(path)) writeFileSync(path, JSON.stringify(strictSettings));
  }
  const bin = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [bin, '-b', '--pretty', 'false', ...folders], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const errors = new Map(folders.map((folder) => [folder, new Set<string>()]));
  for (const line of stdout.split('\n')) {
    const match = /^(?<folder>[^/]+)\/(?<file>[^(]+)(?:\(\d+,\d+\))?: (?<error>error TS.*)$/.exec(line);
    const { folder = '', file, error } = match?.groups ?? {};
    if (error) errors.get(folder)?.add(`${file}: ${error.replaceAll(join(cwd, folder), '')}`);
    else if (line.includes('error TS')) throw new Error(`not understood: ${line}`);
  }
  return errors;
}

/** Errors of importing every module and running every test. One interpreter for everything. */
function importAll(folders: readonly string[]): Errors {
  const script = join(import.meta.dirname, 'import-all.py');
  const { stdout } = spawnSync('python3', ['-B', script], {
    input: `${folders.map((folder) => join(root, 'trees', folder)).join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const lines = stdout.trimEnd().split('\n');
  return new Map(folders.map((folder, index) => [folder, new Set<string>(JSON.parse(lines[index] ?? ''))]));
}

/** In these rules the consumer relies on something that its own branch does not have. */
const brokenAlone = new Set(['S20', 'S21']);

function proveCase({ scenario, index, members, merges }: Case, errors: Errors): void {
  const known = errors.get(`${index}.base`);
  const newErrors = (name: string) =>
    [...(errors.get(`${index}.${name}`) ?? [])].filter((error) => !known?.has(error));
  if (brokenAlone.has(scenario.rule)) {
    expect(members.flatMap(newErrors), 'some branch alone').not.toEqual([]);
  } else {
    for (const name of members) expect(newErrors(name), `${name} alone`).toEqual([]);
  }
  if (!merges) return;
  if (scenario.expected.findings.length === 0) expect(newErrors('union'), 'benign union').toEqual([]);
  else if (scenario.expected.status === 'fail') expect(newErrors('union'), 'broken union').not.toEqual([]);
}

describe('the text of every scenario', () => {
  test.each(cases)('$scenario.name merges as it says', ({ scenario, merges }) => {
    const saysConflict = scenario.expected.findings.some(({ rule }) => rule === 'T01');
    expect(merges ? 'clean' : 'conflict').toBe(saysConflict ? 'conflict' : 'clean');
  });
});

/** Rules about files as such: no compiler has an opinion on them. */
const aboutFiles = new Set(['T06', 'T07']);

describe('the TypeScript compiler agrees', () => {
  const typed = cases.filter((entry) => !aboutFiles.has(entry.scenario.rule) && hasFiles(entry, /\.tsx?$/));
  const errors = compile(typed.flatMap(foldersOf));
  test.each(typed)('with $scenario.name', (entry) => proveCase(entry, errors));
});

describe.runIf(python)('the Python interpreter agrees', () => {
  const scripts = cases.filter((entry) => hasFiles(entry, /\.py$/));
  const errors = python ? importAll(scripts.flatMap(foldersOf)) : new Map();
  test.each(scripts)('with $scenario.name', (entry) => proveCase(entry, errors));
});
