import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { aroundOpen, reachesWithheld } from './withheld.ts';

const state = mkdtempSync(join(tmpdir(), 'joinery-withheld-'));
const cwd = join(state, 'worktrees', 'r1', 'b');
const scratch = join(state, 'scratch', 'r1', 'b');
const request = { withheld: [state], cwd, scratch, env: { PATH: `/usr/bin:${join(state, 'bin')}` } };

beforeAll(() => {
  for (const folder of [
    cwd,
    scratch,
    join(cwd, 'src'),
    join(state, 'worktrees', 'r1', 'a'),
    join(state, 'bin'),
  ])
    mkdirSync(folder, { recursive: true });
  mkdirSync(join(state, 'reports'));
  writeFileSync(join(state, 'runs.db'), '');
});

describe('what an agent must not read', () => {
  test('is everything except its own folders and its programs', () => {
    expect(aroundOpen(request).map((path) => path.slice(state.length + 1))).toEqual([
      'reports',
      'runs.db',
      'worktrees/r1/a',
    ]);
    expect(aroundOpen({ ...request, withheld: [] })).toEqual([]);
    expect(aroundOpen({ ...request, withheld: [join(state, 'reports')] })).toEqual([join(state, 'reports')]);
  });

  test.each([
    [true, `${state}/reports/r1/handoffs/a-1.json`],
    [true, `cat ${state}/runs.db`],
    [true, `sqlite3 "${state}/runs.db" .dump`],
    [true, `cd src && grep -r x ${state}/worktrees/r1/a`],
    [true, `ls ${state}`],
    [true, '../a/notes.md'.replace('/notes.md', '')],
    [true, 'ls ../../../reports'],
    [true, `cat --file=${state}/runs.db`],
    [true, `cat ${state.slice(0, -3)}*/reports/*/plan.json`],
    [true, `cat ${state}/*.db`],
    [true, `cat ${state.slice(0, -1)}?/runs.db`],
    [false, `ls ${tmpdir()}/*.md`],
    [false, 'ls src/*.ts'],
    [false, `ls ${cwd}/*.ts ${cwd}/src/**/*.ts`],
    [false, `ls ${tmpdir()}/elsewhere/*/reports`],
    [false, `${cwd}/src/a.ts`],
    [false, `cd ${cwd} && npm test`],
    [false, `${state}/bin/joinery check`],
    [false, 'cat src/../package.json'],
    [false, 'cd src && cat ../../a'],
    [false, 'ls ../nothing-there'],
    [false, `ls ${state}-other`],
    [false, 'echo a/b && ls /tmp'],
    [false, "cat > src/a.ts <<'EOF'\n/** Adds two numbers. */\nexport const one = 1; /**/\nEOF"],
    [true, '/**'],
    [true, 'cat /**/runs.db'],
    [false, `ls /${'*'.repeat(40)}x/runs.db`],
    [false, ''],
  ])('%s: %s', (isReached, detail) => {
    expect(reachesWithheld(request, detail)).toBe(isReached);
    expect(reachesWithheld({ ...request, withheld: [] }, detail)).toBe(false);
  });
});
