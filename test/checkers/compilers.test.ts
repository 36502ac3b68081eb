import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Compiler, FileCompiler, TreeCompiler } from '#check/typecheck/compilers/compiler.ts';
import { compilers } from '#check/typecheck/compilers/compilers.ts';
import {
  brokenAlone,
  type Errors,
  hasFiles,
  isForCompilers,
  mergeCases,
  proveCase,
  writeCases,
} from '../support/scenario/cases.ts';
import { readScenarios } from '../support/scenario/read-scenarios.ts';
import { chance } from '../support/seed.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-compilers-'));
afterAll(() => rm(root, { recursive: true, force: true }), 300_000);

const { git, cases } = await mergeCases(readScenarios(), root);

/** Errors without positions: merging moves lines. */
function errorsIn(compiler: Compiler, folder: string): Set<string> {
  const dir = join(root, compiler.program, folder);
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  const sources = files.filter((path) => compiler.isSource(path));
  if (sources.length === 0) return new Set();
  return compiler.reads === 'tree'
    ? errorsOfTree(compiler, dir, files)
    : errorsOfFiles(compiler, dir, sources);
}

function errorsOfTree(compiler: TreeCompiler, dir: string, files: readonly string[]): Set<string> {
  const output = join(root, `output-${compiler.program}`);
  const cache = join(tmpdir(), 'joinery-compilers-cache');
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  mkdirSync(cache, { recursive: true });
  const read = files.filter((path) => compiler.isSource(path) || compiler.isSetting(path));
  return new Set(
    compiler.runs(read, { output, cache }).flatMap(({ folder, args, variables, list }) => {
      if (list) writeFileSync(join(dir, list.name), list.text);
      const { status, stdout, stderr } = spawnSync(compiler.program, args, {
        cwd: join(dir, folder),
        env: { ...process.env, ...variables },
        encoding: 'utf8',
      });
      const found = compiler.read(`${stdout}\n${stderr}`) ?? [];
      expect(found.length > 0 || status === 0, `${compiler.name} in ${dir}:\n${stdout}${stderr}`).toBe(true);
      return found.map(({ file, code, message }) => `${posix.join(folder, file)}: ${code}: ${message}`);
    }),
  );
}

function errorsOfFiles(compiler: FileCompiler, dir: string, sources: readonly string[]): Set<string> {
  return new Set(
    sources.flatMap((path) => {
      const { stdout, stderr } = spawnSync(
        'sh',
        ['-c', '"$0" "$@" < "$FILE"', compiler.program, ...compiler.args],
        {
          env: { ...process.env, FILE: join(dir, path) },
          encoding: 'utf8',
        },
      );
      const found = compiler.read(`${stdout}\n${stderr}`);
      return found ? [`${path}: ${found.message}`] : [];
    }),
  );
}

/** Rules about text that merges into a file that does not parse: a parser alone can confirm them. */
const isAboutText = (rule: string) => /^T/.test(rule);

describe.each(compilers)('$name agrees', async (compiler) => {
  const own = cases.filter((entry) => {
    const isFor = isForCompilers(entry) && hasFiles(entry, sourcePattern(compiler));
    if (compiler.program === 'mcs' && isTooNew(entry.scenario.name)) return false;
    return (
      isFor &&
      // A parser sees no missing file.
      (compiler.reads === 'tree' ||
        isAboutText(entry.scenario.rule) ||
        (isBenign(entry.scenario.name) && !brokenAlone.has(entry.scenario.rule)))
    );
  });
  const sizes = { normal: 4, wide: own.length, soak: own.length };
  const chosen = chance(`scenarios that ${compiler.name} compiles`, sizes).pick(own);
  const folders = await writeCases(git, chosen, join(root, compiler.program));
  const errors: Errors = new Map(folders.map((folder) => [folder, errorsIn(compiler, folder)]));
  test.each(chosen)('with $scenario.name', (entry) => proveCase(entry, errors));
});

function isBenign(name: string): boolean {
  return name.endsWith('-benign');
}

/** Mono does not support file-scoped namespaces. */
function isTooNew(name: string): boolean {
  const text = readFileSync(join(import.meta.dirname, '../rules', `${name}.txt`), 'utf8');
  return /^namespace [\w.]+;$/m.test(text);
}

function sourcePattern(compiler: Compiler): RegExp {
  const ending = ['.go', '.java', '.cs', '.rb', '.php'].find((each) => compiler.isSource(`a${each}`));
  return new RegExp(`\\${ending}$`);
}
