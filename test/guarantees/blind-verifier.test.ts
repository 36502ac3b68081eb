import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { ModelServer } from '#test/support/model-server/model-server.ts';
import { greetingCode, greetingPlan, openPlanning, verdict } from '#test/support/planning.ts';

const curious = fileURLToPath(new URL('../support/curious-agent.ts', import.meta.url));

test('the model of the verifier receives only the spec and the plan, whatever it tries to find out', async () => {
  const server = await ModelServer.start(({ prompt }) => ({
    say: prompt.includes('You are the plan verifier')
      ? JSON.stringify(verdict())
      : `PROSE-OF-THE-ARCHITECT ${JSON.stringify(greetingPlan())}`,
  }));
  onTestFinished(() => server.close());
  const bench = openPlanning({
    ...greetingCode,
    'src/secret.ts': '// CODE-OF-THE-PROJECT\n',
    'CLAUDE.md': 'GUIDE-OF-THE-PROJECT\n',
    'specs/other.md': '# Other\n\nANOTHER-SPEC\n',
    '.joinery/roles/architect.md': '# You are the architect\n\nROLE-OF-THE-ARCHITECT\n',
  });
  bench.repo.git('commit', '-q', '--allow-empty', '-m', 'HISTORY-OF-THE-PROJECT');
  const agents = { curious: { command: process.execPath, acp: [curious, server.url], ambient: 'none' } };
  bench.write('joinery.json', { agents });

  const planned = await bench.call('plan', 'specs/greeting.md', '--agent', 'curious');
  expect(planned).toMatchObject({ code: 0 });
  const verified = await bench.call('verify', 'specs/greeting.plan.json', '--agent', 'curious');
  expect(verified).toMatchObject({ code: 0 });
  const [architect, verifier, ...more] = server.asked.map(({ raw }) => raw);
  expect(more).toEqual([]);

  // The architect may read everything: these markers would be seen if they were available.
  for (const marker of [
    'CODE-OF-THE-PROJECT',
    'GUIDE-OF-THE-PROJECT',
    'ANOTHER-SPEC',
    'ROLE-OF-THE-ARCHITECT',
  ])
    expect(architect).toContain(marker);
  for (const marker of ['Hello, stranger!', 'Greet by name', 'How is a user greeted?'])
    expect(verifier).toContain(marker);
  for (const marker of [
    'CODE-OF-THE-PROJECT',
    'GUIDE-OF-THE-PROJECT',
    'ANOTHER-SPEC',
    'ROLE-OF-THE-ARCHITECT',
    'HISTORY-OF-THE-PROJECT',
    'PROSE-OF-THE-ARCHITECT',
    'RATIONALE-OF-THE-ARCHITECT',
    'they meet in the contract only',
    bench.repo.dir,
    bench.env.JOINERY_CACHE_DIR ?? '?',
  ])
    expect(verifier).not.toContain(marker);
});
