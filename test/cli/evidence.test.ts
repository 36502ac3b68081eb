import { appendFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EvidenceCheckReport, EvidenceRunReport } from '#schema/gates.ts';
import { Project, tested } from '../support/gates-project.ts';

describe('joinery evidence', () => {
  test('check reads its text from stdin, and says so if it gets it otherwise', async () => {
    const { code, stderr } = await tested().run(['evidence', 'check', 'All tests pass']);
    expect(code).toBe(3);
    expect(stderr).toContain('| joinery evidence check');
  });

  const record = async (project: Project, ...args: string[]) => {
    const { code, stdout } = await project.run(['evidence', 'run', '--json', ...args]);
    return { ...EvidenceRunReport.parse(JSON.parse(stdout)), code };
  };
  const check = async (project: Project, ...args: string[]) => {
    const { code, stdout } = await project.run(['evidence', 'check', '--json', ...args]);
    const { claims, status } = EvidenceCheckReport.parse(JSON.parse(stdout));
    return { code, status, reasons: claims.map(({ reason }) => reason) };
  };

  test('proves a claim for exactly these files', async () => {
    const project = new Project({});
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 1, reasons: ['missing'] });
    const { code, evidence } = await record(project, '--claim', 'test', '--', 'node', 'run.js');
    expect(code).toBe(0);
    expect(evidence).toMatchObject({
      command: 'node run.js',
      exitCode: 0,
      tests: { passed: 1 },
      tools: { node: process.versions.node },
    });
    expect(evidence.tree).toBe(project.git('rev-parse', 'HEAD^{tree}'));
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 0, reasons: [null] });
    project.write({ 'ignored/x': 'x' });
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 0 });
    project.write({ 'new.txt': 'x' });
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 1, reasons: ['stale'] });
    project.write({ 'new.txt': null });
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 0 });
  });

  test('is not fooled by commands that show nothing, fail, or run no test', async () => {
    const project = new Project({});
    const reasonOf = async (...args: string[]) => (await record(project, ...args)).reason;
    expect(await reasonOf('--claim', 'test', '--', 'echo', 'All tests passed!')).toBe('no-counts');
    expect(await reasonOf('--claim', 'build', '--', 'true')).toBe('empty-log');
    expect(await reasonOf('--claim', 'build', '--', 'sh', '-c', 'echo error TS1005: x')).toBe(
      'failure-marker',
    );
    expect(await reasonOf('--claim', 'test', '--', 'no-such-program')).toBe('not-finished');
    expect(await reasonOf('--claim', 'test', '--timeout', '1', '--', 'sleep', '60')).toBe('not-finished');
    project.write({ 'tests.txt': '' });
    expect(await reasonOf('--claim', 'test', '--', 'node', 'run.js')).toBe('no-tests');
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 1, reasons: ['no-tests'] });
  });

  test('checks every claim in a text', async () => {
    const project = new Project({});
    await record(project, '--claim', 'test', '--', 'node', 'run.js');
    const notes = (text: string) => project.write({ 'ignored/notes.md': text });
    notes('Done. All tests pass!');
    expect(await check(project, '--notes', 'ignored/notes.md')).toMatchObject({
      code: 1,
      reasons: ['no-count-claimed'],
    });
    notes('Done. 12 tests passed.');
    expect(await check(project, '--notes', 'ignored/notes.md')).toMatchObject({
      code: 1,
      reasons: ['wrong-count'],
    });
    notes('Done. 1 test passed, the build succeeds.');
    expect((await check(project, '--notes', 'ignored/notes.md')).reasons.toSorted()).toEqual([
      'missing',
      null,
    ]);
    notes('I wrote a parser.');
    const { code, stderr } = await project.run(['evidence', 'check', '--notes', 'ignored/notes.md']);
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringMatching(/claims nothing/) });
  });

  test('accepts only gates if there are gates', async () => {
    const project = tested();
    await record(project, '--claim', 'test', '--', 'echo', '5 passed');
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 1, reasons: ['other-command'] });
    await project.gates('--full');
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 0, reasons: [null] });
  });

  test('refuses a log that was changed afterwards', async () => {
    const project = new Project({});
    const { evidence } = await record(project, '--claim', 'test', '--', 'node', 'run.js');
    appendFileSync(evidence.log.file, 'more');
    expect(await check(project, '--claim', 'test')).toMatchObject({ code: 1, reasons: ['changed-log'] });
  });
});
