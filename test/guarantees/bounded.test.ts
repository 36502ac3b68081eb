import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { executable, runNode, temporaryFolder } from '../support/joinery.ts';
import { sample } from '../support/sampling.ts';

const probe = fileURLToPath(new URL('../../bench/peak-probe.js', import.meta.url));
const minute = 60_000;

/** The real command, with the peak size of its process. */
async function check(repository: GitRepository, args: readonly string[]) {
  const cache = temporaryFolder();
  const peakFile = join(cache, 'peak');
  const began = performance.now();
  const outcome = await runNode(['--import', probe, executable, 'check', '--json', ...args], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache, JOINERY_PEAK_FILE: peakFile },
  });
  const peakMegabytes = Number(readFileSync(peakFile, 'utf8')) / 1024 ** 2;
  return { ...outcome, answer: JSON.parse(outcome.stdout), peakMegabytes, ms: performance.now() - began };
}

/** A commit on main with an additional object at a path. */
function commitWith(repository: GitRepository, branch: string, mode: string, id: string, path: string): void {
  const index = join(temporaryFolder(), 'index');
  const git = (...args: string[]) => repository.pipe('', args, { GIT_INDEX_FILE: index });
  git('read-tree', 'main');
  const tree = git('write-tree');
  const rows = repository.git('ls-tree', tree).split('\n');
  const kept = rows.filter((row) => row !== '' && !row.endsWith(`\t${path}`));
  const type = mode === '040000' ? 'tree' : 'blob';
  const whole = repository.pipe(`${[...kept, `${mode} ${type} ${id}\t${path}`].join('\n')}\n`, [
    'mktree',
    '--missing',
  ]);
  const commit = repository.git('commit-tree', whole, '-p', 'main', '-m', branch);
  repository.git('update-ref', `refs/heads/${branch}`, commit);
}

function project(): GitRepository {
  const repository = new GitRepository();
  repository.commit({
    'tsconfig.json': '{"compilerOptions":{"types":[]},"include":["*.ts"]}',
    'package.json': '{"name":"x"}',
    'a.ts': 'export const a = 1;\n',
    'a.py': 'a = 1\n',
  });
  repository.branch('other', { 'b.ts': 'export const b = 1;\n', 'b.py': 'b = 1\n' });
  return repository;
}

describe('a few bytes that expand to many are not unpacked', () => {
  const { numRuns: megabytes } = sample('megabytes of zeros in one file', {
    normal: 300,
    wide: 300,
    soak: 1500,
  });
  const names = ['package.json', 'big.ts', 'mypy.ini', 'tsconfig.json', 'pyproject.toml', 'data.bin'];
  const { numRuns: count } = sample('names of such a file', { normal: 3, soak: names.length });

  test(
    'whatever the name of the file',
    async () => {
      const repository = project();
      const source = `head -c ${megabytes}M /dev/zero | git -c core.bigFileThreshold=1m hash-object -w --stdin`;
      const id = execFileSync('sh', ['-c', source], { cwd: repository.dir, encoding: 'utf8' }).trim();
      for (const path of names.slice(0, count)) {
        commitWith(repository, 'bomb', '100644', id, path);
        const { code, answer, peakMegabytes } = await check(repository, ['main', 'other', 'bomb']);
        expect([0, 2], path).toContain(code);
        expect(answer.status, path).not.toBe('error');
        expect(peakMegabytes, path).toBeLessThan(megabytes);
      }
    },
    10 * minute,
  );
});

test(
  'a tree of ten folders that each contain the same ten folders is not listed',
  async () => {
    const repository = project();
    let id = repository.pipe('x', ['hash-object', '-w', '--stdin']);
    let row = `100644 blob ${id}\t`;
    const { numRuns: levels } = sample('levels of folders in folders', { normal: 7, wide: 8, soak: 10 });
    for (let level = 0; level < levels; level++) {
      const rows = Array.from({ length: 10 }, (_, at) => `${row}f${at}`).join('\n');
      id = repository.pipe(`${rows}\n`, ['mktree']);
      row = `040000 tree ${id}\t`;
    }
    commitWith(repository, 'bomb', '040000', id, 'bomb');
    const { code, answer, peakMegabytes, ms } = await check(repository, ['main', 'other', 'bomb']);
    expect({ code, error: answer.error?.code }).toEqual({ code: 3, error: 'too-large' });
    expect(peakMegabytes).toBeLessThan(1500);
    expect(ms).toBeLessThan(5 * minute);
  },
  10 * minute,
);
