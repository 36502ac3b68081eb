import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getSchema } from '@mrleebo/prisma-ast';
import { buildSchema, graphql, isObjectType } from 'graphql';
import ts from 'typescript-5.9';
import { afterAll, describe, expect, test } from 'vitest';
import { pythonWithFrameworks } from '#scripts/python-frameworks.ts';
import { mergeCases, writeCases } from '../support/scenario/cases.ts';
import { readScenarios } from '../support/scenario/read-scenarios.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-records-'));
afterAll(() => rm(root, { recursive: true, force: true }), 60_000);
symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(root, 'node_modules'));

const { git, cases } = await mergeCases(
  readScenarios().filter(({ rule }) => rule === 'C10' || rule === 'C12'),
  root,
);
await writeCases(git, cases, join(root, 'trees'));
const oracle = fileURLToPath(new URL('../support/record-oracle.py', import.meta.url));
const python = pythonWithFrameworks() ?? '';

type Record_ = Readonly<Record<string, unknown>>;
interface Written {
  readonly records: Readonly<Record<string, Record_>>;
  readonly resolved: readonly string[];
  readonly versions: Readonly<Record<string, unknown>>;
}

function ask<T>(...args: string[]): T {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  return JSON.parse(execFileSync(python, [oracle, ...args], { encoding: 'utf8', env })) as T;
}

const folderOf = (id: string | undefined) => join(root, 'trees', id ?? '');

function files(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path));
}

/** TypeScript's errors for a text in a folder. */
function typeErrors(folder: string, text: string): string[] {
  const path = join(folder, 'judged.ts');
  writeFileSync(path, text);
  const options = { strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true };
  const program = ts.createProgram([path], { ...options, types: [], lib: ['lib.es5.d.ts'] });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** A record of each Prisma model; its types are those of JavaScript in lower case. */
function prismaRecords(folder: string): Record<string, Record_> {
  const models = files(folder, '.prisma').flatMap((path) => getSchema(readFileSync(path, 'utf8')).list);
  return Object.fromEntries(
    models.flatMap((model) =>
      model.type === 'model'
        ? [
            [
              model.name,
              Object.fromEntries(
                model.properties.flatMap((each) => (each.type === 'field' ? [[each.name, 'sample']] : [])),
              ),
            ],
          ]
        : [],
    ),
  );
}

/** Asks a server for every field of a record; nothing resolves a field that the record lacks. */
async function graphqlErrors(folder: string, { records, resolved }: Written): Promise<string[]> {
  const [text] = files(folder, '.graphql').map((path) => readFileSync(path, 'utf8'));
  if (text === undefined) return [];
  const schema = buildSchema(text);
  const errors: string[] = [];
  for (const [name, record] of Object.entries(records)) {
    const type = schema.getType(name);
    if (!isObjectType(type)) continue;
    const watched = new Proxy(record, {
      get(target, key: string) {
        if (key in type.getFields() && !(key in target) && !resolved.includes(key))
          errors.push(`${name}.${key} has no value`);
        return target[key];
      },
    });
    const { errors: refused } = await graphql({
      schema,
      source: `{ ${name.toLowerCase()}(id: "1") { ${Object.keys(type.getFields()).join(' ')} } }`,
      rootValue: { [name.toLowerCase()]: () => watched },
    });
    errors.push(...(refused ?? []).map(({ message }) => message));
  }
  return errors;
}

/** Passes the records of one side to the validators and types of the other. */
async function scriptErrors(folder: string, { records }: Written): Promise<string[]> {
  const errors: string[] = [];
  for (const path of files(folder, '.ts')) {
    const schemas = (await import(pathToFileURL(path).href)) as Record<
      string,
      { safeParse?(value: unknown): { success: boolean; error?: Error } }
    >;
    const text = readFileSync(path, 'utf8');
    for (const [name, record] of Object.entries(records)) {
      const parsed = schemas[name]?.safeParse?.(record);
      if (parsed?.success === false) errors.push(String(parsed.error?.message));
      if (text.includes(`interface ${name}Dto `))
        errors.push(
          ...typeErrors(folder, `${text}\nexport const record: ${name}Dto = ${JSON.stringify(record)};\n`),
        );
    }
  }
  return errors;
}

describe('what one side writes, the other can read', () => {
  const own = cases.filter(({ scenario }) => scenario.rule === 'C10');
  test.each(own)('or cannot, with $scenario.name', async ({ scenario, trees }) => {
    const folder = folderOf(trees.get('union'));
    const told = ask<Written>('write', folder);
    const written = { ...told, records: { ...told.records, ...prismaRecords(folder) } };
    expect(Object.keys(written.records)).not.toEqual([]);
    const errors = [...(await graphqlErrors(folder, written)), ...(await scriptErrors(folder, written))];
    expect(errors.length > 0, String(errors)).toBe(scenario.expected.findings.length > 0);
  });
  test('there are scenarios', () => expect(own.length).toBeGreaterThan(8));
});

/** What a TypeScript tree stores: version and interfaces. */
function storedBy(folder: string) {
  const texts = files(folder, '.ts').map((path) => [path, readFileSync(path, 'utf8')] as const);
  const [, version] = /_VERSION = (\d+)/.exec(texts.map(([, text]) => text).join('\n')) ?? [];
  const types = texts.flatMap(([path, text]) =>
    [...text.matchAll(/export interface (\w+)/g)].map(([, name = '']) => ({ path, name })),
  );
  return { version, types };
}

/** Interfaces of one tree whose values do not fit the same interface in the other. */
function unreadable(from: string, to: string): string[] {
  const there = storedBy(to).types;
  return storedBy(from).types.flatMap(({ path, name }) => {
    const target = there.find((each) => each.name === name);
    return target
      ? typeErrors(
          from,
          `import type { ${name} as Old } from '${path}';\nimport type { ${name} as New } from '${target.path}';\nexport const read = (old: Old): New => old;\n`,
        )
      : [];
  });
}

describe('what was stored under a version can be read under that version', () => {
  const own = cases.filter(({ scenario }) => scenario.rule === 'C12');
  test.each(own)('or cannot, with $scenario.name', ({ scenario, members, trees }) => {
    const union = folderOf(trees.get('union'));
    const errors = members.flatMap((member) => {
      const folder = folderOf(trees.get(member));
      if (storedBy(union).types.length > 0)
        return storedBy(folder).version === storedBy(union).version ? unreadable(folder, union) : [];
      const [stored, now] = [ask<Written>('write', folder), ask<Written>('write', union)];
      expect(Object.keys(now.versions)).not.toEqual([]);
      return JSON.stringify(stored.versions) === JSON.stringify(now.versions)
        ? ask<string[]>('read', union, JSON.stringify(stored.records))
        : [];
    });
    expect(errors.length > 0, String(errors)).toBe(scenario.expected.findings.length > 0);
  });
  test('there are scenarios', () => expect(own.length).toBeGreaterThanOrEqual(4));
});
