import { readdirSync, readlinkSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { Rooms } from './rooms.ts';
import { resumeCandidates } from './tools/workflow-desk.ts';

function rooms(): Rooms {
  const env = { ...process.env, JOINERY_STATE_DIR: temporaryFolder() };
  const opened = new Rooms({ env, warn() {} });
  onTestFinished(() => opened.close());
  return opened;
}

const folders = () => Array.from({ length: 20 }, () => new GitRepository().dir);

const none = { totalEligible: 0, candidates: [] };

/** Files of this process that are logs of runs. */
function openLogs(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith('.db');
    } catch {
      return false;
    }
  }).length;
}

test.runIf(process.platform === 'linux')('only the rooms used last stay open, and their logs', async () => {
  const before = openLogs();
  const opened = rooms();
  const [first = '', ...others] = folders();
  for (const folder of [first, ...others]) await opened.use(folder, () => {});
  expect(opened.size).toBe(16);
  await expect.poll(() => openLogs() - before).toBe(16);
  // One that was closed opens again.
  expect(await opened.use(first, (room) => resumeCandidates(room, undefined, undefined))).toEqual(none);
});

test('a room stays open while a call works in it', async () => {
  const opened = rooms();
  const [first = '', ...others] = folders();
  const { room, release } = await opened.borrow(first);
  for (const folder of others) await opened.use(folder, () => {});
  expect(await resumeCandidates(room, undefined, undefined)).toEqual(none);
  release();
  expect(opened.size).toBe(16);
});

test('a folder that is not a repository does not count', async () => {
  const opened = rooms();
  await expect(opened.borrow(temporaryFolder())).rejects.toThrow(/not inside a git repository/);
  expect(opened.size).toBe(0);
});
