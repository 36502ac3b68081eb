import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeProjections } from '#crew/state/projection-files.ts';
import { openBench, task, writes } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';

function filesBelow(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    names
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
  );
}

test('every file for people is rebuilt byte for byte from the log alone', async () => {
  const repo = makeRepo();
  const bench = await openBench(repo, {
    attempts: [
      {
        task: 'a',
        do: [
          { say: 'hello\nworld' },
          { usage: { in: 5, out: 7, usd: 0.1 } },
          { write: { path: 'a.txt', content: 'a' } },
        ],
      },
      { task: 'b', n: 1, do: [{ exit: 'timeout' }] },
      writes('b', 'b.txt'),
      { task: 'c', do: [{ exit: 'denied' }] },
    ],
  });
  const run = bench.start({
    tasks: [task('a'), task('b'), task('c', { dependsOn: ['a'] }), task('d', { dependsOn: ['c'] })],
  });
  await bench.drive(run);
  const { engine } = bench.workshop;
  const { folders } = bench.runs;
  const read = () => [filesBelow(folders.reports(run)), filesBelow(folders.logs(run))];
  const before = read();
  expect([...(before[0]?.keys() ?? [])]).toEqual(
    expect.arrayContaining([
      'checkpoint.md',
      'events.jsonl',
      'plan.json',
      'run.json',
      'prompts/a-1.txt',
      'handoffs/a-1.json',
    ]),
  );
  for (const folder of [folders.reports(run), folders.logs(run)]) rmSync(folder, { recursive: true });
  const files = writeProjections(folders, {
    run,
    events: engine.read(run),
    artifact: (hash) => engine.artifact(run, hash),
  });
  expect(read()).toEqual(before);
  expect(files).toBe((before[0]?.size ?? 0) + (before[1]?.size ?? 0));
  bench.close();
});
