import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { executable, runNode, temporaryFolder } from '../support/joinery.ts';
import { sample } from '../support/sampling.ts';

const probe = fileURLToPath(new URL('../../bench/peak-probe.js', import.meta.url));
const mostBytes = 1.5 * 1024 ** 3;
const minute = 60_000;

/** The real command, with the peak size of its process. */
async function check(repository: GitRepository, args: readonly string[]) {
  const cache = temporaryFolder();
  const peakFile = join(cache, 'peak');
  const outcome = await runNode(
    ['--import', probe, executable, 'check', '--json', '--confirm', 'none', ...args],
    { cwd: repository.dir, env: { JOINERY_CACHE_DIR: cache, JOINERY_PEAK_FILE: peakFile } },
  );
  return { ...outcome, report: JSON.parse(outcome.stdout), peak: Number(readFileSync(peakFile, 'utf8')) };
}

test(
  'a file of a million lines is read within bounded memory',
  async () => {
    const { numRuns: lines } = sample('lines of one file', { normal: 50_000, soak: 1_000_000 });
    const repository = new GitRepository();
    const file = (first: string, last: string) => `${first}\n${'//\n'.repeat(lines)}${last}\n`;
    const [first, last] = ['export function first(a: number) {}', 'export function last(a: number) {}'];
    repository.commit({ 'src/long.ts': file(first, last) });
    repository.branch('renames', { 'src/long.ts': file(first.replace('first', 'begin'), last) });
    repository.branch('uses', { 'src/use.ts': "import { first } from './long';\n\nfirst(1);\n" });
    const { code, report, peak } = await check(repository, ['main', 'renames', 'uses']);
    expect(report.findings.map(({ rule }: { rule: string }) => rule)).toEqual(['S02']);
    expect(code).toBe(1);
    expect(peak).toBeLessThan(mostBytes);
  },
  10 * minute,
);

test(
  'ten thousand branches are handled within bounded memory and time',
  async () => {
    const { numRuns: count } = sample('branches in one repository', { normal: 300, soak: 10_000 });
    const repository = new GitRepository();
    repository.commit({ 'src/base.ts': 'export function base(a: number) {}\n' });
    const text = (at: number) =>
      `import { base } from './base';\n\nexport const x${at} = () => base(${at});\n`;
    const commits = Array.from({ length: count }, (_, at) => {
      const content = text(at);
      return [
        `commit refs/heads/b${at}\ncommitter Test <test@localhost> 1700000000 +0000\ndata 1\nx\n`,
        `from refs/heads/main\nM 100644 inline src/f${at}.ts\ndata ${content.length}\n${content}\n`,
      ].join('');
    });
    execFileSync('git', ['fast-import', '--quiet', '--force'], {
      cwd: repository.dir,
      input: commits.join(''),
    });
    const { code, report, peak } = await check(repository, ['--newest', 'all']);
    expect(report.branches).toHaveLength(count);
    expect(report.union.excluded).toEqual([]);
    expect(code).toBe(0);
    expect(peak).toBeLessThan(mostBytes);
  },
  30 * minute,
);
