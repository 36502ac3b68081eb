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
  /** Who meets in the union: the branches, and base when it has moved. */
  readonly members: readonly string[];
  /** Tree ids of `base`, of each member and, where the text merges, of `union`. */
  readonly trees: ReadonlyMap<string, string>;
}

const root = mkdtempSync(join(tmpdir(), 'joinery-oracle-'));
afterAll(() => rm(root, { recursive: true, force: true }), 300_000);

const cases = await writeCases(readScenarios());
const python = spawnSync('python3', ['--version']).status === 0;

/** Each tree has a folder with its id for a name: a conflict and its twin share some, and those are judged once. */
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
  const revisions = scenarios.map(({ main }, index) => [
    ['base', `${index}/main${main ? '~1' : ''}^{tree}`] as const,
    ...(members[index] ?? []).map((name) => [name, `${index}/${name}^{tree}`] as const),
  ]);
  const ids = (await git.text(['rev-parse', ...revisions.flat().map(([, revision]) => revision)])).split(
    '\n',
  );
  const cases = scenarios.map((scenario, index) => {
    const trees = new Map((revisions[index] ?? []).map(([name]) => [name, ids.shift() ?? '']));
    const union = unions[index];
    return { scenario, members: members[index] ?? [], trees: union ? trees.set('union', union) : trees };
  });
  mkdirSync(join(root, 'trees'));
  await writeTrees(git, new Map(foldersOf(cases).map((id) => [id, id])), join(root, 'trees'));
  return cases;
}

function foldersOf(some: readonly Case[]): string[] {
  return [...new Set(some.flatMap(({ trees }) => [...trees.values()]))];
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

function proveCase({ scenario, members, trees }: Case, errors: Errors): void {
  const errorsOf = (name: string) => errors.get(trees.get(name) ?? '') ?? new Set();
  const newErrors = (name: string) => [...errorsOf(name).difference(errorsOf('base'))];
  if (brokenAlone.has(scenario.rule)) {
    expect(members.flatMap(newErrors), 'some branch alone').not.toEqual([]);
  } else {
    for (const name of members) expect(newErrors(name), `${name} alone`).toEqual([]);
  }
  if (!trees.has('union')) return;
  if (scenario.expected.findings.length === 0) expect(newErrors('union'), 'benign union').toEqual([]);
  else if (scenario.expected.status === 'fail') expect(newErrors('union'), 'broken union').not.toEqual([]);
}

describe('the text of every scenario', () => {
  test.each(cases)('$scenario.name merges as it says', ({ scenario, trees }) => {
    const saysConflict = scenario.expected.findings.some(({ rule }) => rule === 'T01');
    expect(trees.has('union') ? 'clean' : 'conflict').toBe(saysConflict ? 'conflict' : 'clean');
  });
});

/** Rules about files as such: no compiler has an opinion on them. */
const aboutFiles = new Set(['T06', 'T07']);

describe('the TypeScript compiler agrees', () => {
  const typed = cases.filter((entry) => !aboutFiles.has(entry.scenario.rule) && hasFiles(entry, /\.tsx?$/));
  const errors = compile(foldersOf(typed));
  test.each(typed)('with $scenario.name', (entry) => proveCase(entry, errors));
});

describe.runIf(python)('the Python interpreter agrees', () => {
  const scripts = cases.filter((entry) => hasFiles(entry, /\.py$/));
  const errors = python ? importAll(foldersOf(scripts)) : new Map();
  test.each(scripts)('with $scenario.name', (entry) => proveCase(entry, errors));
});
