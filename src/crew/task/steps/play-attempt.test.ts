import { expect, test } from 'vitest';
import { openBench, task, writes } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';

test('a developer gets the guides of the base commit, whatever agents write later', async () => {
  const file = '.joinery/roles/developer.md';
  const repo = makeRepo({ 'README.md': 'hello\n', [file]: 'ROLE-OF-THE-BASE\n' });
  const bench = await openBench(repo, {
    attempts: [writes('a', file, 'ROLE-OF-AN-AGENT\n'), writes('b', 'b.txt')],
  });
  const run = bench.start({
    concerns: ['CONCERN-OF-THE-PLAN'],
    tasks: [task('a', { files: [file] }), task('b', { dependsOn: ['a'], files: ['b.txt'] })],
  });
  await bench.drive(run);
  const prompts = [...bench.workshop.engine.read(run)].flatMap((event) =>
    event.type === 'attempt.prompted' && event.step === 'b'
      ? [bench.workshop.engine.artifact(run, event.data.sha256) ?? '']
      : [],
  );
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toContain('ROLE-OF-THE-BASE');
  expect(prompts[0]).not.toContain('ROLE-OF-AN-AGENT');
  expect(prompts[0]).toContain('CONCERN-OF-THE-PLAN');
  expect(prompts[0]).toContain('```handoff');
  bench.close();
});
