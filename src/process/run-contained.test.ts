import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { type ContainedProgram, runContained } from './run-contained.ts';

function run(script: string, more: Partial<ContainedProgram> = {}) {
  const cwd = temporaryFolder();
  const logFile = join(cwd, 'log');
  const program: ContainedProgram = {
    argv: ['sh', '-c', script],
    cwd,
    env: { PATH: process.env.PATH ?? '' },
    mark: `test-${process.pid}/gate/1`,
    timeoutMs: 30_000,
    logFile,
    maxLogBytes: 1_000_000,
    box: null,
    ...more,
  };
  return runContained(program).then((result) => ({ result, log: readFileSync(logFile) }));
}

describe('a contained run', () => {
  test('keeps output and errors in order, and the exit code', async () => {
    const { result, log } = await run('echo one; echo two >&2; echo three; exit 3');
    expect(log.toString()).toBe('one\ntwo\nthree\n');
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 3, signal: null, incidents: [] });
    expect(result).toMatchObject({ head: 'one\ntwo\nthree\n', tail: 'one\ntwo\nthree\n' });
    const sha256 = createHash('sha256').update(log).digest('hex');
    expect(result.log).toEqual({ bytes: 14, sha256, isCut: false, writtenBytes: 14 });
  });

  test('hides secret values, wherever the chunks of output end', async () => {
    const hide = (text: string) => text.replaceAll('sekrit', '[NAME]');
    const script =
      "printf 'a sek'; sleep 0.2; echo rit b; head -c 200000 /dev/zero | tr '\\0' x; echo sekrit";
    const { result, log } = await run(script, { hide });
    expect(log.toString()).toBe(`a [NAME] b\n${'x'.repeat(200_000)}[NAME]\n`);
    expect(result.tail.endsWith('x[NAME]\n')).toBe(true);
  });

  test.runIf(process.platform === 'linux')(
    'reports the CPU time of all processes it waited for',
    async () => {
      const { result } = await run('i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done');
      expect(result.cpuMs).toBeGreaterThan(20);
    },
  );

  test.runIf(process.platform === 'linux')('is limited in memory and CPU time', async () => {
    const takes = `"${process.execPath}" -e 'const all = []; for (let i = 0; i < 12; i++) all.push(Buffer.alloc(50e6, 1)); console.log("done")'`;
    expect((await run(takes)).log.toString()).toBe('done\n');
    const { result, log } = await run(takes, { memoryBytes: 400 * 1024 ** 2 });
    expect(log.toString()).not.toContain('done');
    expect(result).toMatchObject({ outcome: 'exited' });
    const circles = await run('while :; do :; done', { cpuSeconds: 1 });
    expect(circles.result).toMatchObject({ outcome: 'exited', exitCode: null, signal: 'SIGKILL' });
  });

  test('reports that a program does not exist', async () => {
    const { result } = await run('', { argv: ['no-such-program-here'] });
    expect(result).toMatchObject({ outcome: 'not-started' });
  });

  test('has no terminal and no input', async () => {
    const { log } = await run('tty; wc -c; [ -t 1 ] || echo none');
    expect(log.toString()).toMatch(/^not a tty\n\s*0\nnone\n$/);
  });

  test('ends at its time limit', async () => {
    const { result } = await run('echo begun; sleep 1000', { timeoutMs: 300 });
    expect(result).toMatchObject({ outcome: 'timeout', exitCode: null, head: 'begun\n' });
    expect(result.wallMs).toBeLessThan(10_000);
  });

  test('ends when it is cancelled, before or after it started', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    expect((await run('sleep 1000', { signal: stop.signal })).result.outcome).toBe('cancelled');
    expect((await run('touch began', { signal: stop.signal })).result.outcome).toBe('cancelled');
  });

  test('of a missing program says why it was not started', async () => {
    const { result } = await run('', { argv: ['no-such-program-here'] });
    expect(result).toMatchObject({ outcome: 'not-started', exitCode: null });
    expect(result.incidents.join()).toContain('ENOENT');
  });

  test('names processes that were left behind', async () => {
    const { result } = await run('sleep 1000 & exit 0');
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(result.incidents).toEqual([expect.stringMatching(/left process \d+ \(sleep\) behind/)]);
  });

  test('keeps the beginning and the end of a gigabyte of output', async () => {
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    const { result, log } = await run('echo first; head -c 1073741824 /dev/zero; echo last', {
      maxLogBytes: 100_000,
      // The test is about memory and disk; a busy machine may be slow.
      timeoutMs: 200_000,
    });
    clearInterval(watch);
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(result.log).toMatchObject({ isCut: true, writtenBytes: 1_073_741_824 + 11 });
    expect(log.length).toBe(result.log.bytes);
    expect(log.length).toBeLessThan(100_100);
    expect(log.subarray(0, 6).toString()).toBe('first\n');
    expect(log.subarray(-6).toString()).toBe('\0last\n');
    expect(result.tail.endsWith('\0last\n')).toBe(true);
    expect(most - before).toBeLessThan(150 * 1024 * 1024);
  });

  test('costs less than 150 ms of processor time, its guard and its limits included', async () => {
    const module = fileURLToPath(new URL('run-contained.ts', import.meta.url));
    const order = { argv: ['true'], cwd: '/', env: {}, mark: 'cost/a/1', timeoutMs: 9000, maxLogBytes: 1000 };
    const source = `import { runContained } from ${JSON.stringify(module)};
      const order = { ...${JSON.stringify(order)}, logFile: '/dev/null' };
      for (let n = 0; n < Number(process.argv[1]); n++) await runContained(order);`;
    // A shell reports the CPU time of its children and their children.
    const cpuMs = (runs: number) => {
      const script = '"$0" --input-type=module --eval "$1" "$2"; times';
      const text = execFileSync('sh', ['-c', script, process.execPath, source, String(runs)], {
        encoding: 'utf8',
      });
      const spent = [...(text.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
      return (
        spent.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0) * 1000
      );
    };
    expect((cpuMs(6) - cpuMs(1)) / 5).toBeLessThan(150);
  });
});
