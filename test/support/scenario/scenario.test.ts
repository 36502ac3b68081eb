import { createHash } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../joinery.ts';
import { sample } from '../sampling.ts';
import { arbitraryScenario } from './arbitrary-scenario.ts';
import { buildRepository } from './build-repository.ts';
import { parseScenario } from './parse-scenario.ts';
import { printScenario } from './print-scenario.ts';
import { applyChanges, type Files, type Scenario } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';

const header = ['title: A case', 'rule: S01', 'branches: [a, b]', 'status: pass', 'findings: []', ''];

function parse(...lines: readonly string[]): Scenario {
  return parseScenario(Buffer.from([...header, ...lines, ''].join('\n')));
}

function contentOf(...section: readonly string[]): string {
  return [...parse(...section).base.values()].join('|');
}

describe('a scenario', () => {
  test('contains the whole files of base and the changes of each branch', () => {
    const { base, branches, main } = parse(
      '-- base/src/a.ts --',
      'one',
      '-- base/src/my files/b [old].ts --',
      'two',
      '-- base/empty.ts --',
      '-- a/src/a.ts --',
      'three',
      '-- a/empty.ts (deleted) --',
      '-- b/c.ts (moved from src/my files/b [old].ts) --',
    );
    expect(base).toEqual(
      new Map([
        ['src/a.ts', Buffer.from('one\n')],
        ['src/my files/b [old].ts', Buffer.from('two\n')],
        ['empty.ts', Buffer.from('')],
      ]),
    );
    expect(branches).toEqual([
      {
        name: 'a',
        changes: new Map([
          ['src/a.ts', Buffer.from('three\n')],
          ['empty.ts', null],
        ]),
      },
      {
        name: 'b',
        changes: new Map([
          ['c.ts', Buffer.from('two\n')],
          ['src/my files/b [old].ts', null],
        ]),
      },
    ]);
    expect(main).toBeNull();
  });

  test('may have a branch that changes nothing, if the header names it', () => {
    expect(parse().branches.map(({ name, changes }) => [name, changes.size])).toEqual([
      ['a', 0],
      ['b', 0],
    ]);
  });

  test('preserves odd contents and names', () => {
    expect(contentOf('-- base/x (crlf) --', 'a', 'b')).toBe('a\r\nb\r\n');
    expect(contentOf('-- base/x (crlf, no newline at end) --', 'a', 'b')).toBe('a\r\nb');
    expect(contentOf('-- base/x (no newline at end) --', '')).toBe('');
    expect(contentOf('-- base/x (quoted) --', '>-- a/x --', '>')).toBe('-- a/x --\n\n');
    expect(contentOf('-- base/x (base64) --', '/wAN')).toBe(Buffer.from([255, 0, 13]).toString());
    expect([...parse('-- "base/cafe\\u0301 (deleted)" --').base.keys()]).toEqual(['cafe\u0301 (deleted)']);
  });

  test('survives printing and parsing, whatever it contains', () => {
    fc.assert(
      fc.property(arbitraryScenario, (scenario) => {
        const printed = printScenario(scenario);
        const parsed = parseScenario(Buffer.from(printed));
        expect(parsed).toEqual(scenario);
        expect(printScenario(parsed)).toBe(printed);
      }),
      sample('scenario texts', { normal: 200, soak: 5000 }),
    );
  });
});

describe('an invalid scenario', () => {
  const broken: readonly (readonly [why: string, at: number, message: RegExp, text: string])[] = [
    ['a misspelled note', 7, /"delted" is no note/, '-- base/x (delted) --'],
    ['a side that the header does not name', 7, /c\/x belongs to none of base, a, b/, '-- c/x --'],
    [
      'a comment that looks like a section',
      8,
      /users belongs to none.*\(quoted\)/,
      '-- base/x.sql --\n-- users --',
    ],
    ['a file that is there twice', 8, /base has x twice/, '-- base/x --\n-- base/x --'],
    ['two changes of one file', 9, /a changes x twice/, '-- base/x --\n-- a/x (deleted) --\n-- a/x --\ntwo'],
    ['a file as base has it', 9, /as base has it/, '-- base/x --\none\n-- a/x --\none'],
    ['a deleted file that never was', 7, /base has no x/, '-- a/x (deleted) --'],
    ['a moved file that never was', 7, /base has no y/, '-- a/x (moved from y) --'],
    ['a deleted file of base', 7, /base has no deleted files/, '-- base/x (deleted) --'],
    ['lines of a deleted file', 9, /has no lines/, '-- base/x --\n-- a/x (deleted) --\none'],
    ['a path that leaves the tree', 7, /git takes no file/, '-- base/../x --'],
    ['a folder of git', 7, /git takes no file/, '-- base/.git/config --'],
    ['a file that is a folder', 7, /x is a file and a folder/, '-- base/x --\n-- base/x/y --'],
    ['a folder that becomes a file', 8, /x is a file and a folder/, '-- base/x/y --\n-- a/x --'],
    ['base64 that is none', 7, /not base64/, '-- base/x (base64) --\n***'],
    ['base64 with line ends', 7, /no other note/, '-- base/x (base64, crlf) --'],
    ['a quoted section with a plain line', 9, /begins with >/, '-- base/x (quoted) --\n>a\nb'],
    ['an empty file without a newline', 7, /empty file/, '-- base/x (no newline at end) --'],
    ['a quoted name that does not end', 7, /cannot read the name/, '-- "base/x --'],
    ['a quoted name with a wrong escape', 7, /no JSON string/, '-- "base/\\q" --'],
    ['a carriage return', 8, /\(crlf\)/, '-- base/x --\none\r'],
  ];
  test.each(broken)('%s: line %i', (_, line, message, text) => {
    expect(problemOf(() => parse(text))).toEqual({ line, message: expect.stringMatching(message) });
  });

  const headers: readonly (readonly [why: string, at: number, message: RegExp, from: string, to: string])[] =
    [
      ['a word no status has', 4, /status/, 'status: pass', 'status: passed'],
      ['an unknown key', 1, /titel/, 'title: A case', 'title: A case\ntitel: B'],
      ['a missing key', 1, /findings/, 'findings: []', ''],
      [
        'a finding without its branches',
        6,
        /findings\.0\.branches/,
        '[]',
        '\n  - {rule: S01, severity: minor, confidence: proven}',
      ],
      ['a rule that is no id', 2, /id of a rule/, 'S01', 'removed-function'],
      ['a branch that is called base', 3, /name of a branch/, '[a, b]', '[a, base]'],
      ['a branch that is named twice', 3, /named twice/, '[a, b]', '[a, a]'],
      ['YAML that does not parse', 3, /./, '[a, b]', '[a, b]]'],
    ];
  test.each(headers)('%s in the header: line %i', (_, line, message, from, to) => {
    const text = header.join('\n').replace(from, to);
    const problem = problemOf(() => parseScenario(Buffer.from(text)));
    expect(problem.message).toMatch(message);
    expect(problem.line).toBe(line);
  });

  test('bytes that are not UTF-8, and a last line without a line end', () => {
    const text = Buffer.from([...header, '-- base/x --', ''].join('\n'));
    const line = problemOf(() => parseScenario(Buffer.concat([text, Buffer.from([0xff, 0x0a])])));
    expect(line).toEqual({ line: 8, message: expect.stringMatching(/UTF-8/) });
    const end = problemOf(() => parseScenario(Buffer.concat([text, Buffer.from('x')])));
    expect(end).toEqual({ line: 8, message: expect.stringMatching(/does not end/) });
  });
});

function problemOf(read: () => unknown): { line: number; message: string } {
  try {
    read();
  } catch (error) {
    if (error instanceof ScenarioError) return { line: error.line, message: error.message };
    throw error;
  }
  throw new Error('it was read');
}

describe('the repository of many scenarios', () => {
  test('contains exactly their files, whatever their names', async () => {
    const forks = fc.sample(arbitraryScenario, sample('scenario repositories', { normal: 12, soak: 100 }));
    const git = await buildRepository(forks, join(temporaryFolder(), 'repository'));
    const entries = async (ref: string) =>
      (await git.run(['ls-tree', '-r', '-z', ref])).stdout
        .toString('utf8')
        .split('\0')
        .slice(0, -1)
        .toSorted();
    for (const [index, { base, branches, main }] of forks.entries()) {
      for (const { name, changes } of branches)
        expect(await entries(`${index}/${name}`)).toEqual(entriesOf(applyChanges(base, changes)));
      expect(await entries(`${index}/main`)).toEqual(entriesOf(applyChanges(base, main ?? new Map())));
      if (main) expect(await entries(`${index}/main~1`)).toEqual(entriesOf(base));
    }
    const refs = (await git.text(['for-each-ref', '--format=%(refname)'])).split('\n');
    expect(refs).toHaveLength(forks.reduce((sum, { branches }) => sum + branches.length + 1, 0));
    await git.run(['fsck', '--strict']);
  });
});

/** In the format of `git ls-tree`; a blob id is a hash of its size and content. */
function entriesOf(files: Files): string[] {
  return [...files]
    .map(([path, content]) => {
      const id = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
      return `100644 blob ${id}\t${path}`;
    })
    .toSorted();
}
