import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentDriver, AgentRequest } from '#agents/driver.ts';
import { reportOf } from '#crew/state/report.ts';
import { openBench, task } from '#test/support/engine-bench.ts';
import { type EngineRepo, makeRepo } from '#test/support/engine-repo.ts';
import { forgeIndex, growOld, replaceObject } from '#test/support/forgery.ts';
import { temporaryFolder } from '#test/support/joinery.ts';

/** A suite of two tests, one of which reads the source. */
const suite = `
const isRight = require('../src/sum.cjs').sum(1, 2) === 3;
if (!isRight) console.log(' FAIL  sum.test.cjs > adds');
console.log('      Tests  ' + (isRight ? '2 passed (2)' : '1 failed | 1 passed (2)'));
process.exit(isRight ? 0 : 1);
`;
const emptySuite = "console.log('      Tests  2 passed (2)');\n";
const project = {
  'AGENTS.md': '# Guide\n\n## Quality Gates\n\n- test: `node test/run.cjs`\n',
  'src/sum.cjs': 'exports.sum = (a, b) => a + b;\n',
  'test/run.cjs': suite,
  '.gitignore': '.env\n',
};

interface Attack {
  readonly request: AgentRequest;
  readonly repo: EngineRepo;
  /** A file that exists once a program of the agent was run by somebody else. */
  readonly trap: string;
  git(...args: string[]): string;
  write(path: string, text: string): void;
}

function writeInto(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** An agent that does its work and, in every attempt, something else too. */
async function runAgainst(work: string, attack: (attack: Attack) => void) {
  const repo = makeRepo(project);
  const trap = join(temporaryFolder(), 'sprung');
  const driver: AgentDriver = {
    name: 'hostile',
    variables: [],
    async play(request, doors) {
      const write = (path: string, text: string) => writeInto(request.cwd, path, text);
      const git = (...args: string[]) =>
        execFileSync('git', args, {
          cwd: request.cwd,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        });
      write('src/sum.cjs', work);
      attack({ request, repo, trap, git, write });
      doors.report({ type: 'text', text: 'x'.repeat(60) });
      return { outcome: 'ok', reason: '' };
    },
  };
  const bench = await openBench(repo, { attempts: [] }, { driver: () => driver });
  const run = bench.start({ tasks: [task('a', { files: ['src/sum.cjs'] })] }, { autonomy: 'autopilot' });
  const state = await bench.drive(run);
  const findings = [...bench.workshop.engine.read(run)].flatMap((event) =>
    event.type === 'attempt.ended' ? event.data.findings.map(({ message }) => message) : [],
  );
  bench.close();
  const report = reportOf(run, state);
  const files = repo.git('ls-tree', '-r', '--name-only', `joinery/${run}/integration`).split('\n');
  return { repo, run, report, findings, files, isSprung: existsSync(trap), status: report.tasks[0]?.status };
}

const right = 'exports.sum = (a, b) => b + a;\n';
const broken = 'exports.sum = (a, b) => a - b;\n';

/** Git's folder for a worktree. */
function entryOf({ git, request }: Attack): string {
  return resolve(request.cwd, git('rev-parse', '--git-dir').trim());
}

/** Puts other content under the id of an object, and makes git check it out. */
function hideBehindObject({ git, repo, request }: Attack, path: string, content: string): void {
  replaceObject(join(repo.dir, '.git'), repo.git('rev-parse', `main:${path}`), content);
  rmSync(join(request.cwd, path));
  git('checkout', '--', path);
  growOld(request.cwd);
}

/** A nested repository whose settings name a program that git runs when it is asked about it. */
function nestRepository({ request, trap, write }: Attack): void {
  const sub = join(request.cwd, 'sub');
  mkdirSync(sub);
  const inside = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: sub });
  inside('init', '-q');
  write('sub/f', 'x\n');
  inside('add', 'f');
  inside('commit', '-qm', 'x');
  inside('config', 'filter.evil.clean', `touch ${trap}; cat`);
  write('sub/.git/info/attributes', '* filter=evil\n');
  write('sub/f', 'y\n');
}

describe('broken work is not accepted, however an agent hides that it changed the tests', () => {
  test('from the index of its worktree', async () => {
    let isHidden = false;
    const { status, findings } = await runAgainst(broken, (attack) => {
      attack.write('test/run.cjs', emptySuite);
      forgeIndex(attack.request.cwd, 'test/run.cjs', 'main');
      isHidden ||= !attack.git('status', '--porcelain').includes('run.cjs');
    });
    expect({ status, isHidden }).toEqual({ status: 'escalated', isHidden: true });
    expect(findings.join('\n')).toContain('test/run.cjs');
  });

  test('behind an object of the repository', async () => {
    let isHidden = false;
    const { status, findings } = await runAgainst(broken, (attack) => {
      hideBehindObject(attack, 'test/run.cjs', emptySuite);
      isHidden ||= !attack.git('status', '--porcelain').includes('run.cjs');
    });
    expect({ status, isHidden }).toEqual({ status: 'escalated', isHidden: true });
    expect(findings.join('\n')).toContain('test/run.cjs');
  });

  test('behind an object, with the file as it was', async () => {
    const { status, findings } = await runAgainst(broken, (attack) => {
      hideBehindObject(attack, 'test/run.cjs', emptySuite);
      attack.write('test/run.cjs', suite);
    });
    expect(status).toBe('escalated');
    expect(findings.join('\n')).toContain('new failure: sum.test.cjs > adds');
  });

  test('with a filter that shows git the old content', async () => {
    const { status, isSprung } = await runAgainst(broken, (attack) => {
      attack.write('test/run.cjs', emptySuite);
      const old = join(temporaryFolder(), 'old');
      writeFileSync(old, suite);
      attack.git('config', 'filter.old.clean', `touch ${attack.trap}; cat ${old}`);
      writeInto(attack.repo.dir, '.git/info/attributes', 'test/run.cjs filter=old\n');
    });
    expect({ status, isSprung }).toEqual({ status: 'escalated', isSprung: false });
  });
});

describe('no program of an agent is run by its judge', () => {
  const doors: Readonly<Record<string, (attack: Attack) => void>> = {
    'settings of the repository': ({ git, repo, trap }) => {
      git('config', 'filter.evil.clean', `touch ${trap}; cat`);
      git('config', 'filter.evil.smudge', `touch ${trap}; cat`);
      git('config', 'merge.evil.driver', `touch ${trap}`);
      git('config', 'core.fsmonitor', `touch ${trap}`);
      writeInto(repo.dir, '.git/info/attributes', '* filter=evil merge=evil\n');
    },
    'settings of its worktree': (attack) => {
      attack.git('config', 'extensions.worktreeConfig', 'true');
      attack.git('config', '--worktree', 'filter.evil.clean', `touch ${attack.trap}; cat`);
      writeInto(attack.repo.dir, '.git/info/attributes', '* filter=evil\n');
    },
    'another folder in the place of the repository': (attack) => {
      const copy = join(temporaryFolder(), 'common');
      cpSync(join(attack.repo.dir, '.git'), copy, { recursive: true });
      execFileSync('git', ['config', 'filter.evil.clean', `touch ${attack.trap}; cat`], { cwd: copy });
      writeInto(copy, 'info/attributes', '* filter=evil\n');
      writeFileSync(join(entryOf(attack), 'commondir'), `${copy}\n`);
    },
    'another repository in the place of its link': ({ request, trap, write }) => {
      rmSync(join(request.cwd, '.git'));
      execFileSync('git', ['init', '-q'], { cwd: request.cwd });
      execFileSync('git', ['config', 'filter.evil.clean', `touch ${trap}; cat`], { cwd: request.cwd });
      write('.git/info/attributes', '* filter=evil\n');
    },
  };

  test.each(Object.keys(doors))('through %s', async (name) => {
    const { status, isSprung } = await runAgainst(right, doors[name] ?? (() => {}));
    expect({ status, isSprung }).toEqual({ status: 'accepted', isSprung: false });
  });

  test('through a repository within its worktree, which is not accepted either', async () => {
    const { status, isSprung, findings, files, report } = await runAgainst(right, nestRepository);
    expect({ status, isSprung }).toEqual({ status: 'escalated', isSprung: false });
    expect(findings[0]).toContain('sub is a repository of its own');
    expect(report.tasks[0]?.incidents?.[0]).toContain('sub is a repository of its own');
    expect(files).not.toContain('sub');
  });

  test('through a repository that its tests create where they run', async () => {
    const trapped = `
      const { execFileSync } = require('node:child_process');
      const fs = require('node:fs');
      fs.mkdirSync('sub');
      const git = (...args) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: 'sub' });
      git('init', '-q');
      fs.writeFileSync('sub/f', 'x');
      git('add', 'f');
      git('commit', '-qm', 'x');
      git('config', 'filter.evil.clean', 'touch ' + process.env.TRAP + '; cat');
      fs.writeFileSync('sub/.git/info/attributes', '* filter=evil');
      fs.writeFileSync('sub/f', 'y');
    `;
    const { isSprung } = await runAgainst(right, ({ write, trap }) =>
      write('src/sum.cjs', `${right}${trapped.replace('process.env.TRAP', JSON.stringify(trap))}`),
    );
    expect(isSprung).toBe(false);
  });
});

test('a worktree that became a link to the main checkout is neither read nor cleaned up', async () => {
  const { repo, status, files, report } = await runAgainst(right, ({ request, repo: { dir } }) => {
    writeFileSync(join(dir, '.env'), 'SECRET=1\n');
    writeFileSync(join(dir, 'notes.txt'), 'mine\n');
    renameSync(request.cwd, `${request.cwd}-moved`);
    symlinkSync(dir, request.cwd);
  });
  expect(status).toBe('failed');
  expect(readFileSync(join(repo.dir, '.env'), 'utf8')).toBe('SECRET=1\n');
  expect(readFileSync(join(repo.dir, 'notes.txt'), 'utf8')).toBe('mine\n');
  expect(files).not.toContain('notes.txt');
  expect(report.tasks[0]?.incidents).toContainEqual(expect.stringContaining('put in its place'));
});

test('links in the place of its folders and files are not followed', async () => {
  const foreign = temporaryFolder();
  writeFileSync(join(foreign, 'gitconfig'), 'mine\n');
  const { status } = await runAgainst(broken, ({ request }) => {
    const scratch = dirname(request.env.TMPDIR ?? '');
    for (const name of ['tmp', 'cache', 'gitconfig', 'work.json']) {
      rmSync(join(scratch, name), { recursive: true, force: true });
      symlinkSync(join(foreign, name === 'gitconfig' ? name : ''), join(scratch, name));
    }
  });
  expect(status).not.toBe('accepted');
  expect(readdirSync(foreign)).toEqual(['gitconfig']);
  expect(readFileSync(join(foreign, 'gitconfig'), 'utf8')).toBe('mine\n');
});

test('a fence that an agent raises does not end its run', async () => {
  const { status, report } = await runAgainst(right, ({ request, git }) => {
    const file = join(request.cwd, '..', 'token');
    writeFileSync(file, '99\n');
    const forged = git('hash-object', '-w', file).trim();
    rmSync(file);
    git('update-ref', `refs/joinery/${request.run}/fence`, forged);
  });
  expect({ status, run: report.status }).toEqual({ status: 'accepted', run: 'done' });
  expect(report.degraded).toContainEqual(expect.stringContaining('it was restored'));
});
