import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import protobuf from 'protobufjs';
import { afterAll, describe, expect, test } from 'vitest';
import { documentKind } from '#code/formats/graphql/document-kind.ts';
import { type Errors, hasFiles, mergeCases, proveCase, writeCases } from '#test/support/scenario/cases.ts';
import { readScenarios } from '#test/support/scenario/read-scenarios.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-schemas-'));
afterAll(() => rm(root, { recursive: true, force: true }), 60_000);

const scenarios = readScenarios().filter(({ rule }) => rule === 'C05' || rule === 'C06');
const { git, cases } = await mergeCases(scenarios, root);
const folders = await writeCases(git, cases, join(root, 'trees'));

function texts(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, 'trees', folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .toSorted()
    .map((path) => readFileSync(join(root, 'trees', folder, path), 'utf8'));
}

function errorsIn(judge: (folder: string) => string[]): Errors {
  return new Map(folders.map((folder) => [folder, new Set(judge(folder))]));
}

/** Types and operations of one tree, judged as a server would. */
function graphqlErrors(folder: string): string[] {
  const inCode = texts(folder, /\.ts$/).flatMap((text) =>
    [...text.matchAll(/gql`([^`]*)`/g)].map(([, document = '']) => document),
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
  return texts(folder, /\.proto$/).flatMap((text) => {
    try {
      protobuf.parse(text).root.resolveAll();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

describe('graphql-js agrees', () => {
  const errors = errorsIn(graphqlErrors);
  test.each(cases.filter((entry) => hasFiles(entry, /\.graphql$/)))('with $scenario.name', (entry) =>
    proveCase(entry, errors),
  );
});

describe('protobufjs agrees', () => {
  const errors = errorsIn(protobufErrors);
  test.each(cases.filter((entry) => hasFiles(entry, /\.proto$/)))('with $scenario.name', (entry) =>
    proveCase(entry, errors),
  );
});

test('there are scenarios of both', () => {
  expect(cases.filter((entry) => hasFiles(entry, /\.graphql$/)).length).toBeGreaterThan(5);
  expect(cases.filter((entry) => hasFiles(entry, /\.proto$/)).length).toBeGreaterThan(5);
});
