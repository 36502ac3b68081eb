import { describe, expect, test } from 'vitest';
import { checkIn } from '#test/support/check-in.ts';
import { type Files, GitRepository } from '#test/support/git-repository.ts';

const lines = (...changed: readonly (readonly [number, string])[]) => {
  const text = Array.from({ length: 9 }, (_, at) => `line ${at + 1}`);
  for (const [line, value] of changed) text[line - 1] = value;
  return `${text.join('\n')}\n`;
};

/** Main with these files, which then moves on in another file. */
class Project extends GitRepository {
  constructor(files: Files) {
    super();
    this.commit(files);
  }

  moveMain(): void {
    this.commit({ 'elsewhere.txt': 'main has moved\n' });
  }

  /** As a person lands branches; throws where git refuses. */
  land(branches: readonly string[]): void {
    this.git('checkout', '-q', '-B', 'landing', 'main', '--');
    for (const branch of branches) this.git('merge', '-q', '--no-edit', branch);
    this.git('checkout', '-q', 'main', '--');
  }
}

describe('branches that are built on each other', () => {
  test('fit where both edit a line, whether main has moved or not', async () => {
    const project = new Project({ 'a.txt': lines() });
    project.branch('a', { 'a.txt': lines([1, 'of a']) });
    project.branch('b', { 'a.txt': lines([1, 'of b']) }, 'a');
    expect(await checkIn(project, 'main', 'a', 'b')).toMatchObject({ status: 'pass', findings: [] });
    project.moveMain();
    const report = await checkIn(project, 'main', 'a', 'b');
    expect(report).toMatchObject({ status: 'pass', findings: [], landable: ['a', 'b'] });
    project.land(report.landable);
  });

  test('fit where the upper one removes what the lower one edits', async () => {
    const project = new Project({
      'src/a.ts': 'export function one() {\n  return 1;\n}\nexport const x = 1;\n',
    });
    project.branch('a', { 'src/a.ts': 'export function one() {\n  return 2;\n}\nexport const x = 1;\n' });
    project.branch('b', { 'src/a.ts': 'export const x = 1;\n' }, 'a');
    project.moveMain();
    const report = await checkIn(project, 'main', 'a', 'b');
    expect(report).toMatchObject({ status: 'pass', findings: [], landable: ['a', 'b'] });
  });

  test('fit where the lower one imports what the upper one adds', async () => {
    const project = new Project({ 'src/a.ts': 'export const x = 1;\n' });
    project.branch('a', { 'src/use.ts': "import { later } from './later';\nlater();\n" });
    project.branch('b', { 'src/later.ts': 'export function later() {}\n' }, 'a');
    expect((await checkIn(project, 'main', 'a', 'b')).findings).toEqual([]);
  });

  test('have one finding for a conflict that all of them have with another branch', async () => {
    const project = new Project({ 'a.txt': lines() });
    project.branch('a', { 'a.txt': lines([1, 'of a']) });
    project.branch('b', { 'b.txt': 'b\n' }, 'a');
    project.branch('c', { 'c.txt': 'c\n' }, 'b');
    project.branch('d', { 'a.txt': lines([1, 'of d']), 'd.txt': 'd\n', 'e.txt': 'e\n' });
    project.moveMain();
    const report = await checkIn(project, 'main', 'a', 'b', 'c', 'd');
    expect(
      report.findings.map(({ rule, branches, alsoIn, owner }) => ({ rule, branches, alsoIn, owner })),
    ).toEqual([{ rule: 'T01', branches: ['a', 'd'], alsoIn: ['b', 'c'], owner: 'd' }]);
    expect(report.landable).toEqual(['a', 'b', 'c']);
    expect(report.blocked).toEqual([{ ref: 'd', by: report.findings.map(({ id }) => id) }]);
    project.land(report.landable);
  });

  test('have one finding for the conflicts of one file, with the lines that each adds', async () => {
    const project = new Project({ 'a.txt': lines() });
    project.branch('a', { 'a.txt': lines([1, 'of a']) });
    project.branch('b', { 'a.txt': lines([1, 'of a'], [9, 'of b']) }, 'a');
    project.branch('c', { 'c.txt': 'c\n' }, 'b');
    project.branch('d', { 'a.txt': lines([1, 'of d'], [9, 'of d']) });
    const { findings } = await checkIn(project, 'main', 'a', 'b', 'c', 'd');
    expect(findings.map(({ branches, alsoIn }) => ({ branches, alsoIn }))).toEqual([
      { branches: ['a', 'd'], alsoIn: ['b', 'c'] },
    ]);
    expect(findings[0]?.sites.map(({ branch, line }) => `${branch} ${line}`)).toEqual([
      'a 1',
      'd 1',
      'b 1',
      'b 9',
      'd 9',
    ]);
  });

  test('have one finding for a use of what another branch removes', async () => {
    const project = new Project({
      'src/api.ts': 'export function get() {}\nexport function set() {}\n',
    });
    project.branch('a', { 'src/use.ts': "import { get } from './api';\nget();\n" });
    project.branch('b', { 'src/more.ts': "import { get } from './api';\nget();\n" }, 'a');
    project.branch('c', { 'c.txt': 'c\n' }, 'b');
    project.branch('d', { 'src/api.ts': 'export function set() {}\n' });
    project.moveMain();
    const { findings } = await checkIn(project, 'main', 'a', 'b', 'c', 'd');
    expect(findings.map(({ rule, branches, alsoIn }) => ({ rule, branches, alsoIn }))).toEqual([
      { rule: 'S01', branches: ['a', 'd'], alsoIn: ['b', 'c'] },
    ]);
    // The use that b adds has the same cause and is shown with it.
    expect(findings[0]?.sites.map(({ branch, file }) => `${branch} ${file}`)).toContain('b src/more.ts');
  });

  test('have one finding where the lower one renames a function and the upper one changes it beyond recognition', async () => {
    const project = new Project({ 'src/a.ts': 'export function load(id: string) {\n  return id;\n}\n' });
    project.branch('a', { 'src/a.ts': 'export function fetchIt(id: string) {\n  return id;\n}\n' });
    project.branch('b', { 'src/a.ts': 'export function fetchIt(key: string) {\n  return key;\n}\n' }, 'a');
    project.branch('c', { 'src/c.ts': "import { load } from './a';\nexport const two = load('1');\n" });
    project.moveMain();
    const { findings } = await checkIn(project, 'main', 'a', 'b', 'c');
    expect(findings.map(({ rule, branches, alsoIn }) => ({ rule, branches, alsoIn }))).toEqual([
      { rule: 'S02', branches: ['a', 'c'], alsoIn: ['b'] },
    ]);
  });

  test('have one finding for a conflict that all of them have with main', async () => {
    const project = new Project({ 'a.txt': lines() });
    project.branch('a', { 'a.txt': lines([1, 'of a']) });
    project.branch('b', { 'b.txt': 'b\n' }, 'a');
    project.branch('c', { 'c.txt': 'c\n' }, 'b');
    project.commit({ 'a.txt': lines([1, 'of main']) });
    const { findings, blocked } = await checkIn(project, 'main', 'a', 'b', 'c');
    expect(findings.map(({ branches, alsoIn }) => ({ branches, alsoIn }))).toEqual([
      { branches: ['a', 'main'], alsoIn: ['b', 'c'] },
    ]);
    expect(blocked.map(({ ref }) => ref)).toEqual(['a', 'b', 'c']);
  });
});

describe('branches that share commits', () => {
  test('fit where each continues from the shared commits', async () => {
    const project = new Project({ 'a.txt': lines() });
    project.branch('shared', { 'a.txt': lines([1, 'shared'], [2, 'shared']) });
    project.branch('a', { 'a.txt': lines([1, 'of a'], [2, 'shared']) }, 'shared');
    project.branch('b', { 'a.txt': lines([1, 'shared'], [2, 'shared'], [7, 'of b']) }, 'shared');
    project.branch('c', { 'c.txt': 'c\n' });
    project.moveMain();
    const report = await checkIn(project, 'main', 'a', 'b', 'c');
    expect(report).toMatchObject({ status: 'pass', findings: [], landable: ['a', 'b', 'c'] });
    project.land(report.landable);
  });

  test('fit where one removes shared code that the other has not changed', async () => {
    const project = new Project({
      'src/a.ts': 'export function one() {\n  return 1;\n}\nexport const x = 1;\n',
    });
    project.branch('shared', {
      'src/a.ts': 'export function one() {\n  return 2;\n}\nexport const x = 1;\n',
    });
    project.branch('a', { 'src/b.ts': 'export const b = 1;\n' }, 'shared');
    project.branch('b', { 'src/a.ts': 'export const x = 1;\n' }, 'shared');
    project.moveMain();
    const report = await checkIn(project, 'main', 'a', 'b');
    expect(report).toMatchObject({ status: 'pass', findings: [] });
    project.land(report.landable);
  });

  test('still clash where one uses shared code and the other removes it', async () => {
    const project = new Project({ 'README.md': 'a project\n' });
    project.branch('shared', { 'src/api.ts': 'export function get() {}\nexport function set() {}\n' });
    project.branch('a', { 'src/use.ts': "import { get } from './api';\nget();\n" }, 'shared');
    project.branch('b', { 'src/api.ts': 'export function set() {}\n' }, 'shared');
    project.moveMain();
    const { findings } = await checkIn(project, 'main', 'a', 'b');
    expect(findings.map(({ rule, branches }) => ({ rule, branches }))).toEqual([
      { rule: 'S01', branches: ['a', 'b'] },
    ]);
  });

  test('fit when main is newer than the base that was named', async () => {
    const project = new Project({ 'a.txt': lines() });
    const old = project.git('rev-parse', 'main');
    project.commit({ 'a.txt': lines([1, 'of main']) });
    project.branch('a', { 'a.txt': lines([1, 'of a']) });
    project.commit({ 'a.txt': lines([1, 'of main'], [5, 'of main']) });
    project.branch('b', { 'a.txt': lines([1, 'of main'], [5, 'of b']) });
    project.branch('c', { 'a.txt': lines([1, 'of main'], [5, 'of main'], [9, 'of c']) });
    const report = await checkIn(project, old, 'a', 'b', 'c');
    expect(report).toMatchObject({ status: 'pass', findings: [], landable: ['a', 'b', 'c'] });
  });
});

test('branches land in an order that git accepts, where it refuses the given order', async () => {
  const project = new Project({ 'a.txt': lines() });
  project.branch('b', { 'a.txt': lines([1, 'picked']), 'b.txt': 'b\n' });
  project.commit({ 'a.txt': lines([1, 'picked']) });
  project.branch('a', { 'a.txt': lines([1, 'picked, and more']) });
  expect(() => project.land(['a', 'b'])).toThrow();
  project.git('reset', '-q', '--hard');
  project.git('checkout', '-q', 'main', '--');
  const report = await checkIn(project, 'main', 'a', 'b');
  expect(report).toMatchObject({ status: 'pass', findings: [], landable: ['b', 'a'] });
  project.land(report.landable);
});

test('a branch that conflicts with many others is the one that waits', async () => {
  const project = new Project({ 'a.txt': lines() });
  for (const [name, line] of [
    ['a', 1],
    ['b', 4],
    ['c', 7],
  ] as const)
    project.branch(name, { 'a.txt': lines([line, `of ${name}`]) });
  const text = lines([1, 'of d'], [4, 'of d'], [7, 'of d']);
  project.branch('d', { 'a.txt': text, 'd.txt': 'd\n', 'e.txt': 'e\n' });
  const report = await checkIn(project, 'main', 'a', 'b', 'c', 'd');
  expect(report.findings.map(({ owner, suggestion }) => `${owner}: ${suggestion}`).sort()).toEqual(
    ['a', 'b', 'c'].map((ref) => `d: rebase d on ${ref} and resolve by hand`),
  );
  expect(report.landable).toEqual(['a', 'b', 'c']);
  project.land(report.landable);
});
