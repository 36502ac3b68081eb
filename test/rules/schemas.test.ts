import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { validate as validateOpenapi } from '@readme/openapi-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { buildSchema, parse, validate } from 'graphql';
import protobuf from 'protobufjs';
import { afterAll, describe, expect, test } from 'vitest';
import { documentKind } from '#code/formats/graphql/document-kind.ts';
import { type Errors, hasFiles, mergeCases, proveCase, writeCases } from '#test/support/scenario/cases.ts';
import { readScenarios } from '#test/support/scenario/read-scenarios.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-schemas-'));
afterAll(() => rm(root, { recursive: true, force: true }), 60_000);

const scenarios = readScenarios().filter(
  ({ rule, name }) => /^C0[456]$/.test(rule) || name.includes('/sqlite-'),
);
const { git, cases } = await mergeCases(scenarios, root);
const folders = await writeCases(git, cases, join(root, 'trees'));

function paths(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, 'trees', folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .toSorted()
    .map((path) => join(root, 'trees', folder, path));
}

function texts(folder: string, ending: RegExp): string[] {
  return paths(folder, ending).map((path) => readFileSync(path, 'utf8'));
}

function errorsIn(judge: (folder: string) => string[]): Errors {
  return new Map(folders.map((folder) => [folder, new Set(judge(folder))]));
}

/** Validates types and operations of one tree as a server would. */
function graphqlErrors(folder: string): string[] {
  const inCode = texts(folder, /\.(?:ts|py)$/).flatMap((text) =>
    [...text.matchAll(/(?:gql|\/\* GraphQL \*\/ )`([^`]*)`|gql\("""([^"]*)"""\)/g)].map(
      ([, script, python]) => script ?? python ?? '',
    ),
  );
  const documents = [...texts(folder, /\.graphql$/), ...inCode];
  const types = documents.filter((text) => documentKind(text) === 'types');
  if (types.length === 0) return [];
  try {
    const schema = buildSchema(types.join('\n'));
    return documents
      .filter((text) => !types.includes(text))
      .flatMap((text) => validate(schema, parse(text)).map(({ message }) => message));
  } catch (error) {
    return [(error as Error).message];
  }
}

function protobufErrors(folder: string): string[] {
  const root = new protobuf.Root();
  try {
    for (const text of texts(folder, /\.proto$/)) protobuf.parse(text, root);
    root.resolveAll();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** References resolve, operations are unique, every part has the form that the specification requires. */
async function openapiErrors(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths(folder, /\.(?:ya?ml|json)$/)) {
    const result = await validateOpenapi(path);
    if (!result.valid) found.push(...result.errors.map(({ message }) => message.replaceAll(root, '')));
  }
  return found;
}

/** Migrations in order, then queries, which are only prepared. */
function sqliteErrors(folder: string): string[] {
  const database = new DatabaseSync(':memory:');
  try {
    for (const text of texts(folder, /migrations\/.*\.sql$/)) database.exec(text);
    for (const text of texts(folder, /queries\/.*\.sql$/)) database.prepare(text);
    return [];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    database.close();
  }
}

/** Every schema compiles, with its references to other files. */
function jsonSchemaErrors(folder: string): string[] {
  const files = paths(folder, /\.json$/);
  const ajv = new Ajv2020({ strict: false });
  try {
    for (const path of files) ajv.addSchema(JSON.parse(readFileSync(path, 'utf8')), basename(path));
    for (const path of files) ajv.getSchema(basename(path));
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

describe('a validator of JSON Schema agrees', () => {
  const errors = errorsIn(jsonSchemaErrors);
  const own = cases.filter(({ scenario }) => scenario.name.includes('/json-schema'));
  test.each(own)('with $scenario.name', (entry) => proveCase(entry, errors));
  test('there are scenarios', () => expect(own.length).toBeGreaterThan(1));
});

describe('a validator of OpenAPI agrees', async () => {
  const own = cases.filter(
    ({ scenario }) => scenario.rule === 'C04' && !scenario.name.includes('/json-schema'),
  );
  const judged = own.flatMap(({ trees }) => [...trees.values()]);
  const errors: Errors = new Map(
    await Promise.all(
      [...new Set(judged)].map(async (folder) => [folder, new Set(await openapiErrors(folder))] as const),
    ),
  );
  test.each(own)('with $scenario.name', (entry) => proveCase(entry, errors));
  test('there are scenarios', () => expect(own.length).toBeGreaterThan(10));
});

describe('SQLite agrees', () => {
  const errors = errorsIn(sqliteErrors);
  const own = cases.filter(({ scenario }) => scenario.name.includes('/sqlite-'));
  test.each(own)('with $scenario.name', (entry) => proveCase(entry, errors));
  test('there are scenarios', () => expect(own.length).toBeGreaterThan(8));
});

describe('graphql-js agrees', () => {
  const errors = errorsIn(graphqlErrors);
  test.each(cases.filter((entry) => hasFiles(entry, /\.graphql$/)))('with $scenario.name', (entry) =>
    proveCase(entry, errors),
  );
});

describe('protobufjs agrees', () => {
  const errors = errorsIn(protobufErrors);
  test.each(cases.filter((entry) => hasFiles(entry, /\.proto$/)))('with $scenario.name', (entry) => {
    proveCase(entry, errors);
    const isRefused = (errors.get(entry.trees.get('union') ?? '')?.size ?? 0) > 0;
    expect(isRefused).toBe(entry.scenario.expected.findings.length > 0);
  });
});

test('there are scenarios of both', () => {
  expect(cases.filter((entry) => hasFiles(entry, /\.graphql$/)).length).toBeGreaterThan(5);
  expect(cases.filter((entry) => hasFiles(entry, /\.proto$/)).length).toBeGreaterThan(5);
});
