import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runNode, temporaryFolder } from '#test/support/joinery.ts';

const script = fileURLToPath(new URL('../../scripts/scenario.ts', import.meta.url));
const sample = fileURLToPath(new URL('../rules/s01/ts-removed-function.txt', import.meta.url));

function runScenario(cwd: string, ...args: readonly string[]) {
  return runNode([script, ...args], { cwd, env: { INIT_CWD: undefined } });
}

/** A copy of a scenario in a temporary folder, with one text in it replaced. */
function copyOf(from: string, to: string): string {
  const folder = temporaryFolder();
  copyFileSync(sample, join(folder, 'case.txt'));
  const text = readFileSync(sample, 'utf8');
  expect(text).toContain(from);
  writeFileSync(join(folder, 'case.txt'), text.replace(from, to));
  return folder;
}

describe('npm run scenario', () => {
  test('passes if check reports what the scenario expects', async () => {
    const { code, stdout } = await runScenario(temporaryFolder(), sample);
    expect(stdout).toBe('pass    s01/ts-removed-function\n');
    expect(code).toBe(0);
  });

  test('shows what was expected and what was found, and writes it with --update', async () => {
    const folder = copyOf('severity: blocking', 'severity: minor');
    const { code, stdout } = await runScenario(folder, 'case.txt');
    expect(stdout).toMatch(/^FAIL .*\/case/);
    expect(stdout).toMatch(/^-.*severity: minor$/m);
    expect(stdout).toMatch(/^\+.*severity: blocking$/m);
    expect(code).toBe(1);
    expect((await runScenario(folder, '--update', 'case.txt')).code).toBe(0);
    expect((await runScenario(folder, 'case.txt')).code).toBe(0);
    expect(readFileSync(join(folder, 'case.txt'), 'utf8')).toContain('severity: blocking');
  });

  test('shows another status, and unexpected findings', async () => {
    const folder = copyOf('status: fail', 'status: pass');
    const file = join(folder, 'case.txt');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/findings:\n( .*\n)+/, 'findings: []\n'));
    const { code, stdout } = await runScenario(folder, 'case.txt');
    expect(stdout).toMatch(/^- status: pass\n\+ status: fail\n\+ - rule: S01$/m);
    expect(code).toBe(1);
  });

  test('names the file and the line that cannot be read', async () => {
    const folder = copyOf('-- a/src/dates.ts --', '-- a/src/dates.ts (delted) --');
    const line =
      readFileSync(join(folder, 'case.txt'), 'utf8').split('\n').indexOf('-- a/src/dates.ts (delted) --') + 1;
    const { code, stderr } = await runScenario(folder, 'case.txt');
    expect(stderr).toContain(`case.txt:${line}: "delted" is no note`);
    expect(code).toBe(3);
  });

  test.each([
    ['a file that is not there', ['nowhere.txt'], /nowhere\.txt cannot be read: ENOENT/],
    ['no file', [], /no file was named/],
    ['an unknown option', ['--fast', 'x.txt'], /--fast/],
  ])('refuses %s as bad usage', async (_, args, message) => {
    const { code, stderr } = await runScenario(temporaryFolder(), ...args);
    expect(stderr).toMatch(message);
    expect(code).toBe(3);
  });
});
