import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { validate as validateOpenapi } from '@readme/openapi-parser';
import { buildSchema, parse, validate } from 'graphql';
import protobuf from 'protobufjs';
import { parse as parseYaml } from 'yaml';
import { documentKind } from '#code/formats/graphql/document-kind.ts';
import type { Git } from '#git/call/git.ts';
import { pythonWithFrameworks } from '#scripts/python-frameworks.ts';
import type { CoherenceGround } from '../coherence/ground.ts';
import { type Files, stagesOf } from '../coherence/judge.ts';
import type { OracleName, Trial } from '../oracles/index.ts';

/** Errors of each of several sets of files. */
type Errors = (trees: readonly Files[]) => Promise<string[][]>;

const oracles: Partial<Record<OracleName, Errors>> = {
  sqlite: each(sqliteErrors),
  graphql: each(graphqlErrors),
  protobuf: each(protobufErrors),
  openapi: each(openapiErrors),
  routes: (trees) => asked(process.execPath, '../../../test/support/route-oracle.js', trees),
  frameworks: (trees) =>
    asked(pythonWithFrameworks() ?? 'python3', '../../../test/support/framework-oracle.py', trees),
  models: (trees) =>
    asked(pythonWithFrameworks() ?? 'python3', '../../../test/support/model-oracle.py', trees),
};

/** For each trial why it does not count; null if both sides are fine alone, their union is not, and the whole twin is. */
export async function judgeSchemas(
  git: Git,
  _ground: CoherenceGround,
  trials: readonly Trial[],
): Promise<(string | null)[]> {
  const verdicts: (string | null)[] = trials.map(({ conflict, twin }) =>
    conflict.merge.status === 'clean' && twin.merge.status === 'clean' ? null : 'the text does not merge',
  );
  for (const [name, errorsOf] of Object.entries(oracles)) {
    const own = trials
      .map((trial, at) => ({ trial, at }))
      .filter(({ trial, at }) => trial.operator.oracle === name && verdicts[at] === null);
    const stages = await Promise.all(own.map(({ trial }) => stagesOfTrial(git, trial)));
    const errors = own.length === 0 ? [] : await errorsOf(stages.flat());
    for (const [index, { at }] of own.entries())
      verdicts[at] = verdictOf(errors.slice(index * 6, index * 6 + 6));
  }
  return verdicts;
}

async function stagesOfTrial(git: Git, { candidate, conflict, twin }: Trial): Promise<Files[]> {
  const own = await stagesOf(git, candidate, candidate, conflict);
  const others = await stagesOf(git, candidate, candidate.twin, twin);
  return [own.a, own.b, own.union, others.a, others.b, others.union];
}

function verdictOf(errors: readonly string[][]): string | null {
  const [a, b, union, ...twin] = errors.map(([first]) => first);
  if (a !== undefined || b !== undefined) return `a side alone fails: ${a ?? b}`;
  if (union === undefined) return 'the union works';
  const wrong = twin.find((error) => error !== undefined);
  return wrong === undefined ? null : `the twin fails: ${wrong}`;
}

function each(judge: (files: Files) => string[] | Promise<string[]>): Errors {
  return (trees) => Promise.all(trees.map(async (files) => judge(files)));
}

function texts(files: Files, pattern: RegExp): string[] {
  return [...files]
    .filter(([path]) => pattern.test(path))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text);
}

function sqliteErrors(files: Files): string[] {
  const database = new DatabaseSync(':memory:');
  try {
    for (const text of texts(files, /migrations\/.*\.sql$/)) database.exec(text);
    for (const text of texts(files, /queries\/.*\.sql$/)) database.prepare(text);
    const inCode = texts(files, /\.ts$/).flatMap((text) => [...text.matchAll(/query\('([^']*)'/g)]);
    for (const [, text = ''] of inCode) database.prepare(text);
    return [];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    database.close();
  }
}

function graphqlErrors(files: Files): string[] {
  const documents = texts(files, /\.graphql$/);
  const types = documents.filter((text) => documentKind(text) === 'types');
  try {
    const schema = buildSchema(types.join('\n'));
    return documents
      .filter((text) => !types.includes(text))
      .flatMap((text) => validate(schema, parse(text)).map(({ message }) => message));
  } catch (error) {
    return [(error as Error).message];
  }
}

function protobufErrors(files: Files): string[] {
  return texts(files, /\.proto$/).flatMap((text) => {
    try {
      protobuf.parse(text).root.resolveAll();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

async function openapiErrors(files: Files): Promise<string[]> {
  const found: string[] = [];
  for (const text of texts(files, /\.yaml$/)) {
    const result = await validateOpenapi(parseYaml(text));
    if (!result.valid) found.push(...result.errors.map(({ message }) => message));
  }
  return found;
}

/** One process for all of them: starting the frameworks costs more than the questions. */
async function asked(program: string, script: string, trees: readonly Files[]): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'joinery-oracle-'));
  try {
    symlinkSync(
      fileURLToPath(new URL('../../../node_modules', import.meta.url)),
      join(folder, 'node_modules'),
    );
    const places = trees.map((_, at) => join(folder, String(at)));
    for (const [at, files] of trees.entries())
      for (const [path, text] of files) {
        const target = join(places[at] ?? '', path);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, text);
      }
    const told = execFileSync(program, [fileURLToPath(new URL(script, import.meta.url)), ...places], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    const errors = JSON.parse(told) as Record<string, string[]>;
    return trees.map((_, at) => errors[String(at)] ?? ['nothing was said']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
