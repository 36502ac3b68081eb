import { globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Boundaries, surveyImports } from './support/import-boundaries.ts';

/** From the ground floor up. A room imports rooms of lower floors, never of its own floor or a higher one. */
const floors = [
  ['lib'],
  ['schema'],
  ['process'],
  ['git'],
  ['config', 'ci'],
  ['code'],
  ['tests'],
  ['gates'],
  ['check', 'grounding', 'contract'],
  ['handoff', 'durable'],
  ['agents'],
  ['planning', 'review', 'integrate', 'workflow'],
  ['crew'],
];

/** Who may import whom. The folders are the architecture; this table is its only enforcement. */
const boundaries: Boundaries = {
  ...Object.fromEntries(
    floors.flatMap((rooms, floor) => rooms.map((room) => [room, floors.slice(0, floor).flat()])),
  ),
  report: ['lib', 'schema'],
  app: [...floors.flat(), 'report'],
  server: ['app', 'report', 'schema', 'lib'],
  cli: ['server', 'app', 'report', 'schema', 'lib'],
};

function at(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

describe('import boundaries', () => {
  const survey = surveyImports(at('../src'), boundaries);

  test('no module imports a room that it may not import', () => {
    expect(survey.violations).toEqual([]);
  });

  test('no two folders import each other, at any depth', () => {
    expect(survey.cycles).toEqual([]);
  });

  test('no file of the crew imports itself through others, including types', () => {
    expect(survey.fileCycles.filter((cycle) => cycle.some((file) => file.startsWith('crew/')))).toEqual([]);
  });

  test('every room of the table exists', () => {
    expect(survey.rooms).toEqual(Object.keys(boundaries).sort());
  });

  test('the survey looked at modules', () => {
    expect(survey.modules).toBeGreaterThan(0);
  });
});

/** An entrance, perhaps two, and the types of the room. */
const mostAtRoot = 3;

test('a room with folders keeps only its entrance and its types at its root', () => {
  const crowded = Object.keys(boundaries).flatMap((room) => {
    const entries = readdirSync(at(`../src/${room}`), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.includes('.test.'));
    const hasFolders = entries.some((entry) => entry.isDirectory());
    return hasFolders && files.length > mostAtRoot
      ? [`${room}: ${files.map(({ name }) => name).join(', ')}`]
      : [];
  });
  expect(crowded).toEqual([]);
});

/** Shapes of a branch that `BranchTip`, `Branch` and `Member` have replaced. */
const goneShapes = /^(?:export )?(?:interface|type|class) (Outline|Side|Tip|Named|Compared)\b/gm;

test('a branch has the three shapes of docs/architecture.md', () => {
  const files = globSync('{check,code,git}/**/*.ts', { cwd: at('../src') });
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) => [
    ...readFileSync(at(`../src/${file}`), 'utf8')
      .matchAll(goneShapes)
      .map(([line]) => `${file}: ${line}`),
  ]);
  expect(found).toEqual([]);
});

/** Who starts processes without the guard of ADR 7, and why. All others call `#process/run-contained.ts` or `ask-program.ts`. */
const startsProcesses: Readonly<Record<string, string>> = {
  'process/start-guarded.ts': 'the guard itself',
  'process/guard.js': 'the guard itself',
  'process/sweep.js': 'ends what a guard has left',
  'process/group-cpu.ts': 'asks ps',
  'process/remove-folder.ts': 'runs chmod and rm',
  'git/call/git.ts': 'runs git alone',
  'code/extraction/parser-process.ts': 'forks the parsers, with an environment of their own and limits',
  'process/process-use.ts': 'asks ps',
  'check/typecheck/typescript/checker-client.ts':
    'forks a checker of ours, with an environment of its own and limits',
  'check/typecheck/containment/containment.ts': 'runs taskkill',
  'process/containment.ts': 'tries whether a sandbox works here',
  'app/window/background-runs.ts': 'starts Joinery itself, which outlives the dashboard',
  'app/window/play-demo.ts': 'starts Joinery itself and git',
  'cli/commands/ui.ts': 'opens a browser, which outlives the command',
};

test('programs of others are started in one place', () => {
  const files = globSync('**/*.{ts,js}', { cwd: at('../src') }).filter((file) => !file.includes('.test.'));
  const starting = files.filter((file) =>
    /^import (?!type ).*'node:child_process'/m.test(readFileSync(at(`../src/${file}`), 'utf8')),
  );
  expect(starting.sort()).toEqual(Object.keys(startsProcesses).sort());
});

/** Parsers read untrusted text: they may crash, hang or take all memory. */
test('parsers are called in their own process only', () => {
  const files = globSync('**/*.ts', { cwd: at('../src') }).filter(
    (file) => !/\.test\.ts$|^code\/(languages|formats)\//.test(file),
  );
  const calling = files.filter((file) =>
    /\.extract\(|\b(?:extractAll|readData|syntaxOf)\((?!requests: readonly)/.test(
      readFileSync(at(`../src/${file}`), 'utf8'),
    ),
  );
  // A tree for mutants is read here, after that process has survived the same text.
  expect(calling.sort()).toEqual([
    'code/extraction/extraction.ts',
    'code/extraction/parser-program.ts',
    'tests/mutate/script-tree.ts',
  ]);
});

describe('the survey itself', () => {
  const survey = surveyImports(at('fixtures/boundaries'), { lower: [], upper: ['lower'] });

  test('names every way of importing that crosses a boundary, and nothing else', () => {
    expect([...survey.violations].sort()).toEqual([
      'lower/alias.ts imports #upper/house.ts: lower may not import upper',
      'lower/dynamic.ts imports ../upper/house.ts: lower may not import upper',
      'lower/inline-type.ts imports ../upper/house.ts: lower may not import upper',
      'lower/outside.ts imports ../../secrets.ts: it leaves the sources',
      'lower/re-export.ts imports ../upper/house.ts: lower may not import upper',
      'lower/static.ts imports ../upper/house.ts: lower may not import upper',
      'lower/type.ts imports ../upper/house.ts: lower may not import upper',
      'stray/lost.ts imports ../lower/ground.ts: stray is not a room',
    ]);
  });

  test('finds folders whose values depend on each other', () => {
    expect(survey.cycles).toEqual([['lower', 'upper']]);
  });

  test('finds files that import each other', () => {
    expect(survey.fileCycles).toEqual([['lower/egg.ts', 'lower/hen.ts']]);
  });

  test('counts what it read', () => {
    expect(survey.modules).toBe(12);
  });
});
