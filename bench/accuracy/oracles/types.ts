import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Git } from '#git/call/git.ts';
import { writeTrees } from '#test/support/scenario/trees.ts';
import type { Project } from '../project.ts';
import { Remembered } from './remembered.ts';
import { keyOf, observeAll, type Run } from './run.ts';

export interface Diagnostic {
  /** Path below the tree. */
  readonly file: string;
  readonly code: string;
}

/** What is known about a tree: the errors of the type checker, and what its modules do when they run. */
export interface Look {
  readonly errors: readonly Diagnostic[];
  /** By key of the run; a run that did not finish is missing. */
  readonly observed: ReadonlyMap<string, string>;
}

interface StoredLook {
  readonly errors: readonly Diagnostic[];
  readonly observed: readonly (readonly [string, string])[];
}

export const checker = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));
/** Trees per run of the checker: enough to share its start and the libraries, few enough for its memory. */
const batchSize = 24;

/** What the real type checker says about each tree. */
export async function typeErrors(
  git: Git,
  project: Project,
  trees: readonly string[],
): Promise<Map<string, readonly Diagnostic[]>> {
  const looks = await lookAt(git, project, trees, []);
  return new Map([...looks].map(([tree, { errors }]) => [tree, errors]));
}

/** Checks trees in separate folders together; those with modules to run are also compiled. */
export async function lookAt(
  git: Git,
  project: Project,
  trees: readonly string[],
  runs: readonly Run[],
): Promise<Map<string, Look>> {
  const { name, version, compilerOptions, globals } = project;
  const remembered = new Remembered([name, version, compilerOptions, globals, versionOf()]);
  const wanted = [...new Set([...runs.map(({ tree }) => tree), ...trees])];
  const runsOf = Map.groupBy(runs, ({ tree }) => tree);
  const question = (tree: string) => [tree, [...new Set((runsOf.get(tree) ?? []).map(keyOf))].toSorted()];
  const found = new Map<string, Look>();
  for (const tree of wanted) {
    const known = remembered.read<StoredLook>(question(tree));
    if (known) found.set(tree, { errors: known.errors, observed: new Map(known.observed) });
  }
  const distinct = wanted.filter((tree) => !found.has(tree));
  const isRun = (tree: string) => runsOf.has(tree);
  for (const group of [distinct.filter(isRun), distinct.filter((tree) => !isRun(tree))])
    for (let start = 0; start < group.length; start += batchSize) {
      let open = group.slice(start, start + batchSize);
      while (open.length > 0) {
        const looks = await lookTogether(git, project, open, runs);
        // If any file does not parse, the checker reports no type errors: those trees are done, the rest is checked again.
        const unparsed = open.filter((tree) => looks.get(tree)?.errors.some(({ code }) => isSyntax(code)));
        const done = unparsed.length > 0 ? unparsed : open;
        for (const tree of done) {
          const { errors, observed } = looks.get(tree) ?? { errors: [], observed: new Map() };
          found.set(tree, { errors, observed });
          remembered.write(question(tree), { errors, observed: [...observed] } satisfies StoredLook);
        }
        open = open.filter((tree) => !found.has(tree));
      }
    }
  return found;
}

function versionOf(): string {
  const manifest = new URL('../../../node_modules/typescript/package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

function isSyntax(code: string): boolean {
  return /^TS1\d{3}$/.test(code);
}

async function lookTogether(
  git: Git,
  project: Project,
  trees: readonly string[],
  runs: readonly Run[],
): Promise<Map<string, Look>> {
  const target = mkdtempSync(join(tmpdir(), 'joinery-oracle-'));
  try {
    await writeTrees(git, new Map(trees.map((tree) => [tree, tree] as const)), target);
    symlinkSync(join(project.modules, 'node_modules'), join(target, 'node_modules'));
    writeFileSync(join(target, 'globals.d.ts'), project.globals);
    writeFileSync(join(target, 'package.json'), '{"type":"module"}');
    const own = runs.filter(({ tree }) => trees.includes(tree));
    const output =
      own.length > 0
        ? { noEmit: false, outDir: 'out', rootDir: '.', preserveConstEnums: true, removeComments: true }
        : {};
    const config = {
      compilerOptions: { ...project.compilerOptions, ...output },
      include: ['*/src', 'globals.d.ts'],
    };
    writeFileSync(join(target, 'tsconfig.json'), JSON.stringify(config));
    const errors = new Map<string, Diagnostic[]>(trees.map((tree) => [tree, []]));
    for (const { tree, diagnostic } of runChecker(target)) errors.get(tree)?.push(diagnostic);
    const observed = await observeAll(join(target, 'out'), own);
    return new Map(
      trees.map((tree) => [
        tree,
        { errors: errors.get(tree) ?? [], observed: observed.get(tree) ?? new Map<string, string>() },
      ]),
    );
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

function runChecker(folder: string): { tree: string; diagnostic: Diagnostic }[] {
  const result = spawnSync(checker, ['-p', '.', '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: 600_000,
  });
  if (result.error) throw result.error;
  const lines = [...result.stdout.matchAll(/^([0-9a-f]{40})\/(.+?)\(\d+,\d+\): error (TS\d+)/gm)];
  const others = result.stdout.split('\n').filter((line) => /^error TS/.test(line));
  if (result.status !== 0 && lines.length === 0)
    throw new Error(
      `the oracle failed (${result.status ?? result.signal}): ${result.stdout}${result.stderr}`.slice(
        0,
        2000,
      ),
    );
  if (others.length > 0) throw new Error(`the oracle cannot run: ${others[0]}`);
  return lines.map(([, tree = '', file = '', code = '']) => ({ tree, diagnostic: { file, code } }));
}
