import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { isJoineryError } from '#schema/errors.ts';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';
import { readTree } from '#workflow/engine/tree.ts';
import { memoryFolder } from '../support/joinery.ts';
import { chance } from '../support/seed.ts';
import { openLab, step, workflowOf } from '../support/workflow-lab.ts';

const pageSize = 512;

/** An engine whose log has small pages: all its bytes are tried, and few of them are unused. */
function openSmallLab() {
  const folder = memoryFolder();
  const log = new DatabaseSync(join(folder, 'runs.db'));
  log.exec(
    `PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; CREATE TABLE none (n); DROP TABLE none; VACUUM`,
  );
  log.close();
  return { folder, lab: openLab(folder) };
}

/** A closed run of three steps, with its answers for each of its nodes. */
async function smallRun() {
  const { folder, lab } = openSmallLab();
  const answers: WorkflowAnswer[] = [lab.start(workflowOf([step('one'), step('two'), step('three')]))];
  for (const notes of ['first', 'second'])
    answers.push(await lab.go(answers.at(-1) as WorkflowAnswer, { notes, context: { x: notes } }));
  const said = answers.map((answer) => lab.engine.rehydrate(answer.resumeToken));
  const tree = readTree(lab.log, answers[0]?.sessionId ?? '');
  const keys = lab.store.db.prepare(`SELECT key FROM journal WHERE kind <> 'event'`).all();
  const [{ rootpage } = {}] = lab.store.db
    .prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'journal'`)
    .all();
  lab.store.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  lab.close();
  return {
    folder,
    answers,
    said,
    tree,
    keys: keys.map(({ key }) => String(key)),
    root: Number(rootpage),
    bytes: readFileSync(join(folder, 'runs.db')),
  };
}

type Small = Awaited<ReturnType<typeof smallRun>>;

/** With these bytes as the log, every answer is correct, or there is a named error. Returns how much is left. */
function judge({ folder, answers, said, tree }: Small, bytes: Buffer, at: string): number {
  const copy = join(at, 'copy');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  copyFileSync(join(folder, 'keys.json'), join(copy, 'keys.json'));
  writeFileSync(join(copy, 'runs.db'), bytes);
  let lab: ReturnType<typeof openLab> | null = null;
  const heard: WorkflowAnswer[] = [];
  try {
    lab = openLab(copy);
    for (const [n, answer] of answers.entries()) {
      const told = lab.engine.rehydrate(answer.resumeToken);
      // A node whose later steps were lost with the tail of the log is a tip again: its text is the same except for that.
      expect([told.nodeId, told.pending?.stepId, told.sessionId]).toEqual([
        said[n]?.nodeId,
        said[n]?.pending?.stepId,
        said[n]?.sessionId,
      ]);
      heard.push(told);
    }
    // Nothing was lost: every word and variable is unchanged.
    expect(heard).toEqual(said);
    expect(readTree(lab.log, answers[0]?.sessionId ?? '')).toEqual(tree);
  } catch (error) {
    const isNamed =
      isJoineryError(error) ||
      /SQLITE|database|disk image|malformed|no such table/i.test((error as Error).message);
    if (!isNamed) throw error;
  } finally {
    lab?.close();
  }
  return heard.length;
}

/** Soak tries every byte. */
const allBytes = 3_600_000;

/** What follows each step of the small run. */
const following = ['two', 'three', 'over'];

/** Continues with what `judge` left, from the last node that it found. */
async function stepAfter({ answers }: Small, at: string, left: number): Promise<string> {
  const lab = openLab(join(at, 'copy'));
  const next = await lab.go(answers[left - 1] as WorkflowAnswer, { notes: 'again' });
  lab.close();
  return next.pending?.stepId ?? 'over';
}

test(
  'whatever byte of a log is flipped, no answer is wrong',
  async () => {
    const small = await smallRun();
    const at = memoryFolder();
    const all = Array.from({ length: small.bytes.length }, (_, index) => index);
    const chosen = chance('flipped bytes of a run', { normal: 250, soak: small.bytes.length }).pick(all);
    for (const index of chosen) {
      const flipped = Buffer.from(small.bytes);
      flipped[index] = (flipped[index] ?? 0) ^ 0xff;
      judge(small, flipped, at);
    }
    expect(judge(small, small.bytes, at)).toBe(3);
  },
  allBytes,
);

test('with a byte flipped in an index, a finished step is not taken for an unfinished one', async () => {
  const small = await smallRun();
  const at = memoryFolder();
  // The key of a row is in the row and in its index.
  const places = (key: string) =>
    Array.from({ length: small.bytes.length }, (_, index) => index).filter(
      (index) => small.bytes.toString('latin1', index, index + key.length) === key,
    );
  const { keys } = small;
  expect(keys.length).toBeGreaterThan(3);
  for (const key of keys) {
    for (const index of places(key)) {
      const flipped = Buffer.from(small.bytes);
      flipped[index + 1] = (flipped[index + 1] ?? 0) ^ 0x01;
      judge(small, flipped, at);
    }
  }
});

test('a byte flipped in the name of a column costs nothing: the rows are read by position', async () => {
  const small = await smallRun();
  const at = memoryFolder();
  for (const column of ['run TEXT', 'seq INTEGER', 'step TEXT', 'key TEXT', 'data TEXT', 'last INTEGER']) {
    const flipped = Buffer.from(small.bytes);
    flipped.write('x', flipped.indexOf(column, flipped.indexOf('CREATE TABLE journal')));
    expect([column, judge(small, flipped, at)]).toEqual([column, 3]);
  }
});

test('a byte flipped in the page that leads to all rows: the repair ends, and no answer is wrong', async () => {
  const small = await smallRun();
  const at = memoryFolder();
  const first = (small.root - 1) * pageSize;
  for (let index = first; index < first + pageSize; index++) {
    const flipped = Buffer.from(small.bytes);
    flipped[index] = (flipped[index] ?? 0) ^ 0xff;
    judge(small, flipped, at);
  }
});

test(
  'a log with its tail missing opens at its last complete record, and the run continues',
  async () => {
    const small = await smallRun();
    const at = memoryFolder();
    const all = Array.from({ length: small.bytes.length }, (_, index) => index);
    const chosen = chance('torn logs of a run', { normal: 60, soak: small.bytes.length }).pick(all);
    const rest = new Set<number>();
    for (const length of [...chosen, small.bytes.length]) {
      const left = judge(small, small.bytes.subarray(0, length), at);
      rest.add(left);
      if (left > 0) expect([length, await stepAfter(small, at, left)]).toEqual([length, following[left - 1]]);
    }
    expect(rest).toContain(3);
  },
  allBytes,
);

test(
  'a torn write is rolled back completely, and the run continues from the record before it',
  async () => {
    const { folder, lab } = openSmallLab();
    // Nothing leaves the write-ahead log, as if the machine died before SQLite's checkpoint.
    lab.store.db.exec('PRAGMA wal_autocheckpoint = 0');
    const flow = workflowOf([step('one'), step('two'), step('three')]);
    const answers: WorkflowAnswer[] = [lab.start(flow)];
    lab.store.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const logBytes = () => readFileSync(join(folder, 'runs.db-wal'));
    /** The length of the log at each answer. */
    const lengths = [logBytes().length];
    for (const notes of ['first', 'second']) {
      answers.push(await lab.go(answers.at(-1) as WorkflowAnswer, { notes }));
      lengths.push(logBytes().length);
    }
    const whole = logBytes();
    const database = readFileSync(join(folder, 'runs.db'));
    lab.close();
    const all = Array.from({ length: whole.length + 1 }, (_, index) => index);
    const chosen = chance('torn writes of a run', { normal: 40, soak: all.length }).pick(all);
    for (const length of [...chosen, ...lengths]) {
      const copy = memoryFolder();
      copyFileSync(join(folder, 'keys.json'), join(copy, 'keys.json'));
      writeFileSync(join(copy, 'runs.db'), database);
      writeFileSync(join(copy, 'runs.db-wal'), whole.subarray(0, length));
      const again = openLab(copy);
      const kept = lengths.filter((needed) => needed <= length).length;
      const { nodes } = readTree(again.log, answers[0]?.sessionId ?? '');
      expect([length, nodes.length]).toEqual([length, kept]);
      // The call whose record was lost is repeated with the token the agent still has.
      const next = await again.go(answers[kept - 1] as WorkflowAnswer, { notes: 'again' });
      expect(next.pending?.stepId ?? 'over').toBe(following[kept - 1]);
      again.close();
      rmSync(copy, { recursive: true, force: true });
    }
  },
  allBytes,
);
