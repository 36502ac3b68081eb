import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { executable, temporaryFolder } from '../support/joinery.ts';

/** Texts that keep a parser or the linker busy for minutes. */
const busy: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a chain of assignments': { 'chain.py': `${'x='.repeat(40_000)}1\n` },
  'barrels in circles': Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `src/m${at}.ts`,
      `${Array.from({ length: 300 }, (_, to) => `export * from './m${to}';`).join('\n')}\nexport const v${at} = 1;\n`,
    ]),
  ),
};

/** Limit for a signal that is ignored completely. */
const longestMs = 60_000;

/** A signal must take effect within a second of CPU time of the process. */
const longestTicks = 100;

/** CPU time of a process, in hundredths of a second; null if it is gone. */
function ticksOf(pid: number): number | null {
  try {
    const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return null;
  }
}

test.runIf(process.platform === 'linux').each(Object.keys(busy))(
  'SIGTERM ends a check that is busy with %s, and nothing is left behind',
  { timeout: 120_000 },
  async (name) => {
    const repository = new GitRepository();
    repository.commit({ 'a.py': 'a = 1\n' });
    repository.branch('busy', { ...busy[name] });
    repository.branch('other', { 'b.py': 'b = 1\n' });
    const cache = temporaryFolder();
    const child = spawn(
      process.execPath,
      [executable, 'check', '--confirm', 'none', 'main', 'busy', 'other'],
      {
        cwd: repository.dir,
        env: { ...process.env, JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const ticks = () => ticksOf(child.pid ?? 0) ?? 0;
    while (child.exitCode === null && ticks() < 200) await sleep(50);
    const [began, before] = [performance.now(), ticks()];
    let spent = 0;
    child.kill('SIGTERM');
    let code: number | null | undefined;
    while (code === undefined && performance.now() - began < longestMs) {
      code = await Promise.race([ended, sleep(20, undefined)]);
      spent = Math.max(spent, ticks() - before);
    }
    if (code === undefined) child.kill('SIGKILL');
    expect({ code, isSoon: spent <= longestTicks }, `${spent} ticks`).toEqual({ code: 130, isSoon: true });
    expect(said.match(/^interrupted: nothing was changed; .+$/gm)).toHaveLength(1);
    expect(globSync('objects/*/run-*', { cwd: cache })).toEqual([]);
  },
);
