import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Each place that may delete a folder with what is in it, how often, and why that folder is one that we made. */
const allowed: Readonly<Record<string, readonly [count: number, why: string]>> = {
  'bin/bootstrap.js': [3, 'the cache: a Node that was half installed, named after its process'],
  'src/app/ci/check-pulls.ts': [1, 'its own mkdtemp folder'],
  'src/app/planning/consult-agent.ts': [
    2,
    'its own mkdtemp folder, and those of dead processes, by prefix and process',
  ],
  'src/app/planning/defect-work.ts': [1, 'a worktree that it made; the work is committed first'],
  'src/app/setup/cache-folder.ts': [
    1,
    'entries of the cache by name, and nothing if the folder holds others',
  ],
  'src/app/setup/try-agent.ts': [1, 'its own mkdtemp folder'],
  'src/app/window/play-demo.ts': [1, 'its own mkdtemp folder'],
  'src/app/window/web-folder.ts': [1, 'the built pages in our own package'],
  'src/app/workflow/ask-agent.ts': [1, 'its own mkdtemp folder'],
  'src/check/typecheck/compilers/tree-checks.ts': [1, 'its own output folder in the cache'],
  'src/check/typecheck/containment/materialised-tree.ts': [
    1,
    'paths that it wrote itself, below its own folder',
  ],
  'src/check/witness/test-room.ts': [
    2,
    'in its own folder in the scratch: what it provided, and the report it asked for',
  ],
  'src/crew/state/premises.ts': [1, 'the objects of this holder, below its own scratch folder'],
  'src/crew/state/projection-files.ts': [4, 'reports and logs that are written again from the log'],
  'src/crew/steer/keep-work.ts': [1, 'a worktree of a run, after keeping what exists nowhere else'],
  'src/crew/steer/prune.ts': [1, 'worktrees and scratch folders of a run, empty of work by then'],
  'src/crew/steer/reconcile.ts': [2, 'the same'],
  'src/crew/task/place/clean-room.ts': [3, 'a room for gates, where nobody works, with a random name'],
  'src/crew/task/steps/gate-attempt.ts': [1, 'the same'],
  'src/crew/task/steps/open-worktree.ts': [1, 'a worktree in which nothing was written after its commit'],
  'src/crew/task/steps/play-attempt.ts': [1, 'traces of the attempt that is about to start'],
  'src/gates/runner/own-worktree.ts': [2, 'a room for gates, where nobody works, named after its process'],
  'src/gates/runner/provide.ts': [1, 'a node_modules that it began to install in a tree of its own'],
  'src/git/objects/scratch.ts': [2, 'its own folder, and those of dead processes, by prefix and process'],
  'src/git/worktrees/convert-files.ts': [1, 'its own folder in the scratch'],
  'src/git/worktrees/worktrees.ts': [
    5,
    'what the callers above pass; the entries in .git/worktrees that are ours by path',
  ],
  'src/lib/own-place.ts': [1, 'a file that it is about to write in a folder of ours'],
  'src/process/refusals.ts': [1, 'one file of a fixed name in the temporary folder of a task'],
  'src/process/remove-folder.ts': [2, 'what the callers above pass'],
};

/** Deletes a folder with what is in it, or overwrites files that were not committed. */
const deletions = [
  /\b(?:rmSync|rm|rmdirSync|rmdir)\([^;]*?recursive: true/gs,
  /(?<!function )\bremoveFolder\(/g,
  /(?<!function )\b(?:removeWorktree|discardWorktree)\(/g,
  /'rm', \['-/g,
];

/** Git commands that delete or overwrite what no commit has. */
const forbidden =
  /\['(?:reset', [^\]]*'--(?:hard|keep|merge)'|clean', '-|checkout', [^\]]*'(?:-f|--force)'|worktree', '(?:remove|prune)'|stash'|branch', [^\]]*'-D')/;

/** Who may call them all the same, and why. */
const mayCall: Readonly<Record<string, string>> = {
  'src/check/witness/test-room.ts': 'in a checkout of its own, in the scratch of a check',
};

function sources(): { path: string; text: string }[] {
  const paths = globSync(['src/**/*.ts', 'src/**/*.js', 'bin/*.js'], { cwd: root });
  return paths
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));
}

describe('recursive deletion', () => {
  const found = Object.fromEntries(
    sources().flatMap(({ path, text }) => {
      const count = deletions.reduce((sum, each) => sum + [...text.matchAll(each)].length, 0);
      return count === 0 ? [] : [[path, count]];
    }),
  );

  test('happens only where the folder is known to be one that we made', () => {
    const expected = Object.fromEntries(Object.entries(allowed).map(([path, [count]]) => [path, count]));
    expect(found).toEqual(expected);
  });

  test('is never left to git', () => {
    expect(
      sources()
        .filter(({ path, text }) => forbidden.test(text) && !(path in mayCall))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test('is recognised', () => {
    const bad = "rmSync(join(a, b), {\n recursive: true });\nawait removeFolder(x); await run('rm', ['-rf'])";
    expect(deletions.reduce((sum, each) => sum + [...bad.matchAll(each)].length, 0)).toBe(3);
    expect(forbidden.test("git.run(['reset', '--quiet', '--hard', to])")).toBe(true);
  });
});
