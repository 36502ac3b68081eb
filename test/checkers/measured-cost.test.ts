import { expect, test } from 'vitest';
import { runMeasured } from '#bench/measure.ts';

/** Uses that much CPU, reports it, and continues until it is ended. */
const burn = (ms: number, before = '') =>
  `${before}const used = () => { const { user, system } = process.cpuUsage(); return user + system; };
   while (used() < ${ms * 1000}); process.stdout.write('.'); while (true);`;

/** Starts a group of two busy processes, kills it once each has used its share, and exits without waiting for either. */
const leavesTheDead = (ms: number) => {
  const below = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(burn(ms))}], { stdio: 'inherit' });`;
  return `
    const { spawn } = require('child_process');
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(burn(ms, below))}], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
      if (said.length < 2) return;
      process.kill(-child.pid, 'SIGKILL');
      process.exit(7);
    });`;
};

test.runIf(process.platform === 'linux')(
  'processes that a command kills without waiting for them are part of its cost',
  async () => {
    const { cpuMs, code } = await runMeasured(process.execPath, ['-e', leavesTheDead(400)]);
    expect(code).toBe(7);
    expect(cpuMs).toBeGreaterThan(2 * 400);
  },
);
