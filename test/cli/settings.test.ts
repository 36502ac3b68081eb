import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flagsOf } from '#cli/args/flags.ts';
import type { Option } from '#cli/args/table.ts';
import { checkTable } from '#cli/commands/check.table.ts';
import { commands } from '#cli/commands.ts';
import { loadConfig } from '#config/read-config.ts';
import { Config } from '#config/settings.ts';
import { configSettings } from '#config/shape.ts';
import { temporaryFolder } from '#test/support/joinery.ts';

/** A project with these files; text is written unchanged, anything else as JSON. */
function project(files: Record<string, unknown>): string {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
}

const load = (files: Record<string, unknown>, env: Record<string, string> = {}) =>
  loadConfig({ root: project(files), env });

test('without a file every setting has its default', async () => {
  const { values, origin, file, warnings } = await load({});
  expect(values).toEqual(Config.parse({}));
  expect(file).toBeNull();
  expect(warnings).toEqual([]);
  expect(new Set(configSettings().map(({ key }) => origin(key).kind))).toEqual(new Set(['default']));
});

test.each([
  ['joinery.json', { 'joinery.json': { base: 'trunk' } }],
  ['joinery.jsonc', { 'joinery.jsonc': '// why\n{ "base": "trunk", /* trailing: */ }' }],
  ['package.json#joinery', { 'package.json': { name: 'x', joinery: { base: 'trunk' } } }],
])('settings are read from %s', async (name, files) => {
  const { values, origin, file } = await load(files);
  expect(values.base).toBe('trunk');
  expect(file).toBe(name);
  expect(origin('base')).toEqual({ kind: 'project', name });
  expect(origin('block')).toEqual({ kind: 'default' });
});

test('a package.json without Joinery settings is not a config', async () => {
  expect((await load({ 'package.json': { name: 'joinery' } })).file).toBeNull();
  expect((await load({ 'package.json': '{ broken' })).file).toBeNull();
});

test('two files at once are an error that names both', async () => {
  await expect(load({ 'joinery.json': {}, 'package.json': { joinery: {} } })).rejects.toThrow(
    /joinery\.json and package\.json#joinery/,
  );
});

test('a flag overrides the environment, which overrides the project, which overrides the default', async () => {
  const root = project({ 'joinery.json': { base: 'file', block: 'important', confirm: 'none' } });
  const env = { JOINERY_BASE: 'variable', JOINERY_BLOCK: 'proven' };
  const { values, origin } = await loadConfig({ root, env, flags: flagsOf(checkTable, { base: 'flag' }) });
  expect(values).toMatchObject({ base: 'flag', block: 'proven', confirm: 'none' });
  expect(origin('base')).toEqual({ kind: 'flag', name: '--base' });
  expect(origin('block')).toEqual({ kind: 'environment', name: 'JOINERY_BLOCK' });
  expect(origin('confirm')).toEqual({ kind: 'project', name: 'joinery.json' });
  expect(origin('rules')).toEqual({ kind: 'default' });
});

test('the schema accepts what the command line accepts', async () => {
  for (const { table } of commands) {
    for (const option of table.options.filter((each: Option) => each.config !== undefined) as Option[]) {
      const values = option.type === 'boolean' ? [true] : (option.values ?? []);
      for (const value of values) {
        const flags = flagsOf(table, { [option.name]: value });
        const { values: loaded } = await loadConfig({ root: null, env: {}, flags });
        expect(loaded).toEqual(Config.parse(loaded));
      }
    }
  }
});

test('variables are parsed by the type of their setting', async () => {
  const { values } = await load(
    {},
    { JOINERY_BASE: '1', JOINERY_BLOCK: 'proven', JOINERY_CACHE_MAX_BYTES: '1000' },
  );
  expect(values).toMatchObject({ base: '1', block: 'proven', cache: { maxBytes: 1000 } });
});

test('an empty variable counts as not set', async () => {
  expect((await load({}, { JOINERY_BASE: '' })).values.base).toBeUndefined();
});

test('an invalid variable is reported by name', async () => {
  await expect(load({}, { JOINERY_BLOCK: 'maybe' })).rejects.toThrow(/^JOINERY_BLOCK: /);
  await expect(load({}, { JOINERY_CACHE_MAX_BYTES: '-1' })).rejects.toThrow(/^JOINERY_CACHE_MAX_BYTES: /);
});

test.each([
  ['broken JSON', '{\n  "base": \n}', /^joinery\.json:3:1: not valid JSON/],
  ['no object', '[]', /^joinery\.json:1:1: /],
  ['empty', '', /^joinery\.json:1:1: /],
  ['a wrong type', '{\n  "base": "main",\n  "block": 1\n}', /^joinery\.json:3:3: "block": /],
  [
    'a setting that is called otherwise now',
    '{\n  "strict": true\n}',
    /^joinery\.json:2:3: "strict" is "block": "important" now/,
  ],
  ['a wrong choice', '{ "rules": { "S01": "loud" } }', /^joinery\.json:1:14: "rules\.S01": /],
  [
    'an ignore entry that ignores nothing',
    '{ "ignore": [{ "reason": "x" }] }',
    /^joinery\.json:1:14: .*at least one/,
  ],
  ['a date that is none', '{ "ignore": [{ "id": "a", "reason": "x", "expires": "soon" }] }', /expires/],
])('%s is an error with file, line and column', async (_case, text, message) => {
  await expect(load({ 'joinery.json': text })).rejects.toThrow(message);
});

test('in package.json the position is that of package.json', async () => {
  const text = '{\n  "name": "x",\n  "joinery": {\n    "block": "yes"\n  }\n}';
  await expect(load({ 'package.json': text })).rejects.toThrow(/^package\.json:4:5: "block": /);
});

test('an unreadable file is an error, not an empty config', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'joinery.json'));
  await expect(loadConfig({ root, env: {} })).rejects.toThrow(/cannot be read/);
});

test('an unknown rule is a warning with the nearest one', async () => {
  const { warnings } = await load({
    'joinery.json':
      '{\n  "rules": { "S99": "off", "S02": "off" },\n  "ignore": [{ "rule": "s17", "reason": "x" }]\n}',
  });
  expect(warnings).toEqual([
    expect.stringMatching(/^joinery\.json:2:14: there is no rule "S99"/),
    'joinery.json:3:16: there is no rule "s17"; did you mean "S17"?',
  ]);
});

test('unknown keys are warnings with the nearest known key, at any depth', async () => {
  const { warnings } = await load({
    'joinery.json':
      '{\n  "blcok": "likely",\n  "cache": { "maxbytes": 1 },\n  "ignore": [{ "id": "a", "reson": "b", "reason": "c" }],\n  "zzzzzz": 1\n}',
  });
  expect(warnings).toEqual([
    'joinery.json:2:3: unknown key "blcok"; did you mean "block"?',
    'joinery.json:3:14: unknown key "cache.maxbytes"; did you mean "maxBytes"?',
    'joinery.json:4:27: unknown key "ignore.0.reson"; did you mean "reason"?',
    'joinery.json:5:3: unknown key "zzzzzz"',
  ]);
});

test('an MCP server is a program with arguments and variables, not an agent', async () => {
  const lab = { command: 'lab', acp: ['--acp'] };
  const { values } = await load({ 'joinery.json': JSON.stringify({ mcpServers: { lab } }) });
  expect(values.mcpServers).toEqual({ lab: { command: 'lab', args: [], env: {} } });
});
