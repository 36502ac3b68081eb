import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import type { Git } from '../../src/git/git.ts';
import { writeTrees } from '../../src/seams/detectors/scenario-repository.ts';
import type { Project } from './project.ts';

export interface Diagnostic {
  /** Path below the tree. */
  readonly file: string;
  readonly code: string;
}

export const checker = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
/** Trees per run of the checker: enough to share its start and the libraries, few enough for its memory. */
const batchSize = 24;

/** What the real type checker says about each tree. Trees stand in folders of their own and are checked together. */
export async function typeErrors(
  git: Git,
  project: Project,
  trees: readonly string[],
): Promise<Map<string, Diagnostic[]>> {
  const found = new Map<string, Diagnostic[]>();
  const distinct = [...new Set(trees)];
  for (let start = 0; start < distinct.length; start += batchSize) {
    let open = distinct.slice(start, start + batchSize);
    while (open.length > 0) {
      const errors = await checkTogether(git, project, open);
      // While any file does not parse the checker says nothing about types: those trees are done, the rest goes again.
      const unparsed = open.filter((tree) => errors.get(tree)?.some(({ code }) => isSyntax(code)));
      const done = unparsed.length > 0 ? unparsed : open;
      for (const tree of done) found.set(tree, errors.get(tree) ?? []);
      open = open.filter((tree) => !found.has(tree));
    }
  }
  return found;
}

function isSyntax(code: string): boolean {
  return /^TS1\d{3}$/.test(code);
}

async function checkTogether(
  git: Git,
  project: Project,
  trees: readonly string[],
): Promise<Map<string, Diagnostic[]>> {
  const target = mkdtempSync(join(tmpdir(), 'joinery-oracle-'));
  try {
    await writeTrees(git, new Map(trees.map((tree) => [tree, tree] as const)), target);
    symlinkSync(join(project.modules, 'node_modules'), join(target, 'node_modules'));
    writeFileSync(join(target, 'globals.d.ts'), project.globals);
    const config = { compilerOptions: project.compilerOptions, include: ['*/src', 'globals.d.ts'] };
    writeFileSync(join(target, 'tsconfig.json'), JSON.stringify(config));
    const errors = new Map<string, Diagnostic[]>(trees.map((tree) => [tree, []]));
    for (const { tree, diagnostic } of runChecker(target)) errors.get(tree)?.push(diagnostic);
    return errors;
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

/** Does a data file hold a key twice? */
export function hasDuplicateKeys(text: string): boolean {
  return parseDocument(text, { uniqueKeys: true }).errors.some(({ code }) => code === 'DUPLICATE_KEY');
}

/** Do two paths differ in letter case alone? */
export function hasCollidingPaths(paths: readonly string[]): boolean {
  return new Set(paths.map((path) => path.toLowerCase())).size < paths.length;
}
