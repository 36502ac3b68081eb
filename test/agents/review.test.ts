import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ChallengeReport } from '#schema/challenge.ts';
import { ReviewReport } from '#schema/review.ts';
import { installedBinary } from '#scripts/contract-agents.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';
import { ModelServer, type Script } from '../support/model-server/model-server.ts';
import { realAgents } from '../support/real-agent.ts';

const { claude, codex } = realAgents;
const head =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { mean } from './mean.js';\n";
const project = {
  'package.json': '{"name":"p","type":"module"}\n',
  'joinery.json': '{"gates":{"commands":[{"kind":"test","run":"node --test"}]}}\n',
  'sum.js': 'export const sum = (list) => list.reduce((a, b) => a + b, 0);\n',
  'sum.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from './sum.js';\ntest('sum', () => assert.equal(sum([1]), 1));\n",
  'CLAUDE.md': 'GUIDE-OF-THE-PROJECT\n',
  'AGENTS.md': 'GUIDE-OF-THE-PROJECT\n',
};
const work = {
  'mean.js':
    "import { sum } from './sum.js';\n\nexport function mean(list) {\n  return sum(list) / list.length;\n}\n",
  'mean.test.js': `${head}test('mean', () => assert.equal(mean([1, 3]), 2));\n`,
};
const red = `${head}test('the mean of nothing', () => assert.equal(mean([]), 0));\n`;
const found = {
  ...{ severity: 'blocking', category: 'logic', file: 'mean.js', line: 4, symbol: 'mean' },
  issue: 'The mean of an empty list is NaN.',
};

/** Both programs, connected to one model on loopback that caches prefixes like the providers do. */
async function openBoth(answer: Script) {
  const seen: { protocol: string; prompt: string }[] = [];
  const server = await ModelServer.start(async (request, n) => {
    const reply = await answer(request, n);
    const protocol = request.model;
    const cached = Math.max(
      0,
      ...seen
        .filter((each) => each.protocol === protocol)
        .map((each) => commonPrefix(each.prompt, request.prompt)),
    );
    seen.push({ protocol, prompt: request.prompt });
    const tokens = { in: Math.ceil(request.prompt.length / 4), out: 10, cached: Math.floor(cached / 4) };
    return { ...reply, tokens };
  });
  onTestFinished(() => server.close());
  const outside = temporaryFolder();
  const home = join(outside, 'home');
  for (const folder of ['.claude', '.codex']) mkdirSync(join(home, folder), { recursive: true });
  const repository = new GitRepository();
  const agents = Object.fromEntries(
    [claude, codex].map((agent) => [
      agent.name,
      {
        command: installedBinary(agent.name),
        args: agent.args(server.url),
        models: { standard: agent.model, strong: agent.model },
      },
    ]),
  );
  repository.commit({
    ...project,
    'joinery.json': JSON.stringify({ ...JSON.parse(project['joinery.json']), agents }),
  });
  const env = {
    ...{ HOME: home, XDG_CONFIG_HOME: undefined, XDG_STATE_HOME: undefined },
    ...{ JOINERY_STATE_DIR: join(outside, 'state'), JOINERY_CACHE_DIR: join(outside, 'cache') },
    ...claude.variables(server.url),
    ...codex.variables(server.url),
  };
  const call = (...args: string[]) => joinery([...args, '--json'], { cwd: repository.dir, env });
  return { server, repository, home, call };
}

function commonPrefix(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

test('Claude Code and Codex review one branch; a red test settles their disagreement', {
  timeout: 400_000,
}, async () => {
  const { server, repository, call } = await openBoth(({ prompt, turn, model }) => {
    if (prompt.includes('You are the prover')) {
      if (turn === 0) return { calls: [claude.shell(`cat > judged-tree/mean-empty.test.js <<'EOF'\n${red}EOF`)] };
      return { say: JSON.stringify({ tests: [{ finding: 'f1', file: 'mean-empty.test.js' }] }) };
    }
    if (prompt.includes('You are the assessor'))
      return {
        say: JSON.stringify({
          accepted: [{ id: 'f1', reason: 'Line 4.' }],
          deferred: [],
          rejected: [],
          approved: false,
        }),
      };
    return { say: JSON.stringify({ findings: model === claude.model ? [found] : [] }) };
  });
  repository.branch('work', work);
  const reviewers = `claude:${claude.model},codex:${codex.model},claude:${claude.model}`;
  const { stdout, stderr, code } = await call(
    'review',
    'work',
    '--reviewers',
    reviewers,
    '--agent',
    'claude',
  );
  const report = ReviewReport.parse(JSON.parse(stdout || stderr));
  expect(report.reviewers.map(({ name, status, findings }) => [name, status, findings])).toEqual([
    ['claude', 'answered', 1],
    ['codex', 'answered', 0],
    ['claude-2', 'answered', 1],
  ]);
  expect({ code, report }).toMatchObject({
    code: 1,
    report: {
      verdict: 'revise',
      consensus: { verdict: 'agreed', disagreements: [{ settledBy: 'test: confirmed' }] },
      redTests: [{ finding: 'f1', file: 'mean-empty.test.js', content: red }],
    },
  });
  expect(repository.git('status', '--porcelain')).toBe('');
  expect(server.unknown).toEqual([]);

  // All reviewers start with the same bytes, so the second question of one program is mostly read from the cache.
  const asked = server.asked.filter(({ prompt }) => prompt.includes('You are reviewer'));
  const ofClaude = asked.filter(({ model }) => model === claude.model).map(({ tokens }) => tokens);
  const later = ofClaude[1];
  expect(ofClaude).toHaveLength(2);
  expect((later?.cached ?? 0) / (later?.in ?? 1)).toBeGreaterThan(0.95);
});

test('a challenger of either program gets only the document', { timeout: 400_000 }, async () => {
  const { server, repository, home, call } = await openBoth(() => ({
    say: JSON.stringify({ findings: [], right: 'It is short.' }),
  }));
  const ambient = {
    '.claude/CLAUDE.md': 'MEMORY-OF-THE-USER',
    '.codex/AGENTS.md': 'MEMORY-OF-THE-USER',
  };
  for (const [path, text] of Object.entries(ambient)) writeFileSync(join(home, path), `${text}\n`);
  repository.commit({
    'specs/mean.md': '# Mean\n\n## Goal\n\nDOCUMENT-CANARY\n',
    'NOTES.md': 'PRIOR-NOTES\n',
  });
  for (const agent of [claude, codex]) {
    const before = server.requests.length;
    const { stdout, stderr } = await call('challenge', 'specs/mean.md', '--agent', agent.name);
    const report = ChallengeReport.parse(JSON.parse(stdout || stderr));
    expect(report).toMatchObject({ verdict: 'approve', isolation: { mode: 'blind' } });
    const told = server.requests.slice(before).map(({ raw }) => raw);
    expect(told.join('\n')).toContain('DOCUMENT-CANARY');
    for (const marker of ['GUIDE-OF-THE-PROJECT', 'PRIOR-NOTES', 'MEMORY-OF-THE-USER', repository.dir])
      for (const request of told) expect(request).not.toContain(marker);
  }
});
