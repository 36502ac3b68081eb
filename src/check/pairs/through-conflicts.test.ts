import { describe, expect, test } from 'vitest';
import { checkIn } from '#test/support/check-in.ts';
import { type Files, GitRepository } from '#test/support/git-repository.ts';

/** Findings other than the conflict itself and hints about it, with the lines that use what is gone. */
async function besidesConflict(base: Files, a: Files, b: Files): Promise<string[]> {
  const repository = new GitRepository();
  repository.commit(base);
  repository.branch('a', a);
  repository.branch('b', b);
  const { findings } = await checkIn(repository, 'main', 'a', 'b');
  expect(findings.map(({ rule }) => rule)).toContain('T01');
  return findings
    .filter(({ rule }) => rule !== 'T01' && rule !== 'T02')
    .map(({ rule, confidence, branches, sites }) => {
      const uses = sites.filter(({ role }) => role === 'consumer');
      const places = uses.map(({ branch, file, line }) => `${branch}:${file}:${line}`);
      return [rule, confidence, branches.join('+'), ...places].join(' ');
    });
}

const gap = '\n//\n//\n//\n//\n';
const get = 'export function get(id: string) {\n  return id;\n}\n';
const uses = { 'src/use.ts': "import { get } from './api';\n\nexport const one = get('1');\n" };

/** A module whose first line both sides change. */
const api = (version: number, rest: string) => `export const version = ${version};\n${rest}`;

describe('a conflict in the file that provides a name', () => {
  const base = { 'src/api.ts': api(1, gap + get) };

  test('does not hide that one side removes it and the other uses it', async () => {
    const found = await besidesConflict(
      base,
      { 'src/api.ts': api(2, gap) },
      { 'src/api.ts': api(3, gap + get), ...uses },
    );
    expect(found).toEqual(['S01 proven a+b b:src/use.ts:1']);
  });

  test('does not hide it where the removal is part of the conflict', async () => {
    const found = await besidesConflict(
      { 'src/api.ts': api(1, get) },
      { 'src/api.ts': api(2, '') },
      { 'src/api.ts': api(3, get), ...uses },
    );
    expect(found).toEqual(['S01 proven a+b b:src/use.ts:1']);
  });

  test('does not hide a rename', async () => {
    const found = await besidesConflict(
      base,
      { 'src/api.ts': api(2, gap + get.replace('get', 'fetch')) },
      { 'src/api.ts': api(3, gap + get), ...uses },
    );
    expect(found).toEqual(['S02 proven a+b b:src/use.ts:1']);
  });

  test('does not hide a parameter that one side adds', async () => {
    const found = await besidesConflict(
      base,
      { 'src/api.ts': api(2, gap + get.replace('id: string', 'id: string, zone: string')) },
      { 'src/api.ts': api(3, gap + get), ...uses },
    );
    expect(found).toEqual(['S04 proven a+b b:src/use.ts:3']);
  });

  test('reports nothing where neither side changes the name', async () => {
    const found = await besidesConflict(
      base,
      { 'src/api.ts': api(2, gap + get) },
      { 'src/api.ts': api(3, gap + get), ...uses },
    );
    expect(found).toEqual([]);
  });

  test('reports nothing that depends on which version is taken', async () => {
    const found = await besidesConflict(
      { 'src/api.ts': api(1, get) },
      { 'src/api.ts': api(2, get.replace('id: string', 'id: string, zone: string')) },
      { 'src/api.ts': api(3, get.replace('id: string', 'id: string, limit = 1')), ...uses },
    );
    expect(found).toEqual([]);
  });

  test('leaves it to T04 where one side edits what the other removes', async () => {
    const found = await besidesConflict(
      base,
      { 'src/api.ts': api(2, gap) },
      { 'src/api.ts': api(3, gap + get.replace('return id', 'return id.trim()')), ...uses },
    );
    expect(found.map((line) => line.slice(0, 3))).toEqual(['T04']);
  });

  test('in Python too', async () => {
    const module = (version: number, rest: string) => `VERSION = ${version}\n\n\n${rest}`;
    const load = 'def load(path):\n    return path\n\n\n';
    const save = 'def save(path):\n    return path\n';
    const found = await besidesConflict(
      { 'app/__init__.py': '', 'app/store.py': module(1, load + save) },
      { 'app/store.py': module(2, save) },
      {
        'app/store.py': module(3, load + save),
        'app/use.py': 'from app.store import load\n\nload("a")\n',
      },
    );
    expect(found).toEqual(['S01 proven a+b b:app/use.py:1']);
  });
});

describe('a conflict in the file that uses a name', () => {
  const page = (title: string, rest: string) =>
    `import { get } from './api';\nexport const title = '${title}';\n${gap}${rest}`;
  const base = { 'src/api.ts': get, 'src/page.ts': page('one', 'export const first = get("1");\n') };
  const renamed = get.replace('get', 'fetch');

  test('does not hide a use that one side adds, at its own line', async () => {
    const follows = page('two', 'export const first = get("1");\n').replaceAll('get', 'fetch');
    const found = await besidesConflict(
      base,
      { 'src/api.ts': renamed, 'src/page.ts': follows },
      {
        'src/page.ts': page('three', 'export const first = get("1");\n').concat(
          "export function later() {\n  return get('2');\n}\n",
        ),
      },
    );
    expect(found).toEqual(['S02 proven a+b b:src/page.ts:10']);
  });

  test('does not hide a call that one side changes', async () => {
    const wide = get.replace('id: string', 'id: string, zone = ""');
    const found = await besidesConflict(
      { ...base, 'src/api.ts': wide },
      { 'src/api.ts': get, 'src/page.ts': page('two', 'export const first = get("1");\n') },
      { 'src/page.ts': page('three', 'export const first = get("1", "2");\n') },
    );
    expect(found).toEqual(['S04 proven a+b b:src/page.ts:8']);
  });

  test('reports no uses that the other side has updated', async () => {
    const follows = page('two', 'export const first = get("1");\n').replaceAll('get', 'fetch');
    const found = await besidesConflict(
      base,
      { 'src/api.ts': renamed, 'src/page.ts': follows },
      { 'src/page.ts': page('three', 'export const first = get("1");\n') },
    );
    expect(found).toEqual([]);
  });

  test('does not hide a use of what the other side removes from the same file', async () => {
    const helper = 'function helper() {\n  return 1;\n}\n';
    const own = 'export function own() {\n  return 2;\n}\n';
    const module = (title: string, ...parts: string[]) =>
      `export const title = '${title}';\n${gap}${parts.join(gap)}`;
    const found = await besidesConflict(
      { 'src/page.ts': module('one', helper, own) },
      { 'src/page.ts': module('two', own) },
      { 'src/page.ts': module('three', helper, own.replace('2', 'helper()')) },
    );
    expect(found).toEqual(['S01 proven a+b b:src/page.ts:16']);
  });
});

test('a conflict with main hides nothing either', async () => {
  const repository = new GitRepository();
  repository.commit({ 'src/api.ts': api(1, gap + get) });
  repository.branch('b', { 'src/api.ts': api(3, gap + get), ...uses });
  repository.commit({ 'src/api.ts': api(2, gap) });
  const { findings } = await checkIn(repository, 'main', 'b');
  expect(findings.map(({ rule, branches }) => `${rule} ${branches}`)).toEqual(['S01 b,main', 'T01 b,main']);
});

describe('a conflict in a file that decides where imports lead', () => {
  const manifest = (version: string, main: string) =>
    JSON.stringify({ name: 'all', version, main, workspaces: ['packages/*'] }, null, 2);
  const base = {
    'package.json': manifest('1.0.0', 'lib/all.js'),
    'lib/all.js': 'module.exports.get = (id) => id;\n',
    'packages/kit/package.json': '{\n  "name": "@all/kit",\n  "version": "1.0.0",\n  "main": "kit.ts"\n}\n',
    'packages/kit/kit.ts': 'export const kit = 1;\n',
  };
  const raised = (version: string) => ({
    'package.json': manifest(version, 'lib/all.js'),
    'packages/kit/package.json': base['packages/kit/package.json'].replace('1.0.0', version),
  });
  const imports = {
    'test/all.test.js': "const { get } = require('..');\n\nget(1);\n",
    'src/kit.ts': "import { kit } from '@all/kit';\n\nexport const twice = kit * 2;\n",
  };

  test('does not make imports lead nowhere', async () => {
    expect(await besidesConflict(base, raised('2.0.0'), { ...raised('3.0.0'), ...imports })).toEqual([]);
  });

  test('does not hide what either side of it leads to', async () => {
    const found = await besidesConflict(
      base,
      { ...raised('2.0.0'), 'packages/kit/kit.ts': 'export const set = 1;\n' },
      { ...raised('3.0.0'), ...imports },
    );
    expect(found).toEqual(['S02 proven a+b b:src/kit.ts:1']);
  });
});
