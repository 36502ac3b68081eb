import { type ChildProcess, spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { groupCpuMs, secondsOf } from './group-cpu.ts';

function startGroup(script: string): ChildProcess & { readonly pid: number } {
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
  return child as ChildProcess & { readonly pid: number };
}

const told = (child: ChildProcess) => new Promise((resolve) => child.stdout?.once('data', resolve));
const burn =
  'const end = process.cpuUsage().user + 400_000; while (process.cpuUsage().user < end) for (let i = 0; i < 1e6; i++);';

test.skipIf(process.platform === 'win32')(
  'the CPU time of a group includes its processes and their children',
  async () => {
    const child = startGroup(`
      require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(burn)}]);
      ${burn}
      console.log('done'); setInterval(() => {}, 1000);`);
    await told(child);
    expect(groupCpuMs(child.pid)).toBeGreaterThanOrEqual(750);
  },
);

test.skipIf(process.platform === 'win32')('a group that waits uses almost none', async () => {
  const child = startGroup("console.log('here'); setInterval(() => {}, 60_000);");
  await told(child);
  const before = groupCpuMs(child.pid) ?? Number.NaN;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((groupCpuMs(child.pid) ?? Number.NaN) - before).toBeLessThan(150);
});

test.each([
  ['0:01.50', 1.5],
  ['12:03', 723],
  ['01:00:02', 3602],
  ['2-00:00:01', 172_801],
])('ps prints %s for %d seconds', (time, seconds) => {
  expect(secondsOf(time)).toBe(seconds);
});
