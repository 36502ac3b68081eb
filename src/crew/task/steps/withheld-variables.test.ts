import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Provisioning } from '#schema/provisioning.ts';
import { openBench, task } from '#test/support/engine-bench.ts';
import { type EngineRepo, makeRepo } from '#test/support/engine-repo.ts';

const secret = 'sekrit-value-123';

const suite = `
import assert from 'node:assert/strict';
import { test } from 'node:test';

test('tells', () => {
  assert.equal(process.env.WANTED, 'wanted-value-1');
  // As if it had read it in another process of the same person.
  console.log('own:', process.env.MY_TOKEN, 'found:', ['sekrit', 'value', '123'].join('-'));
  assert.fail('no');
});
`;

test('code of the work does not get the variables of the person, and what it finds elsewhere reaches no prompt and no log', async () => {
  const repo = makeRepo({
    'package.json': '{"name":"p","type":"module"}\n',
    'joinery.json': '{"gates":{"env":["WANTED"]}}\n',
    'AGENTS.md': `# Guide\n\n## Quality Gates\n\n- test: \`${process.execPath} --test tests/*.test.js\`\n`,
    'src/add.js': 'export const one = 1;\n',
    'tests/ok.test.js': "import { test } from 'node:test';\n\ntest('ok', () => {});\n",
  });
  const written = { write: { path: 'tests/tells.test.js', content: suite } };
  const attempts = [
    { task: 'a', n: 1, do: [written] },
    { role: 'developer', do: [{ exit: 'crashed' }] },
  ];
  const bench = await openBench(
    repo,
    { attempts },
    {
      env: {
        ...process.env,
        MY_TOKEN: secret,
        WANTED: 'wanted-value-1',
        JOINERY_STATE_DIR: repo.stateDir,
        JOINERY_CACHE_DIR: `${repo.stateDir}-cache`,
      },
    },
  );
  const run = bench.start({ tasks: [task('a', { files: ['tests/tells.test.js'] })] });
  await bench.drive(run);
  const { engine } = bench.workshop;
  const events = [...engine.read(run)];
  const prompts = events.flatMap((event) =>
    event.type === 'attempt.prompted' ? [engine.artifact(run, event.data.sha256) ?? ''] : [],
  );
  bench.close();
  const logs = filesBelow(repo.stateDir).filter((file) => /evidence.*log/.test(file));
  expect(logs.length).toBeGreaterThan(0);
  for (const file of logs) expect(readFileSync(file, 'utf8')).not.toContain(secret);
  expect(prompts[1]).toContain('own: undefined found: [MY_TOKEN]');
  expect(prompts.join()).not.toContain(secret);
  expect(JSON.stringify(events)).not.toContain(secret);
});

/** Prints which of the variables it has, and what it found elsewhere; then fails. */
const tells =
  "console.error('own:', process.env.MY_TOKEN, process.env.WANTED, 'found:', ['sekrit', 'value', '123'].join('-')); process.exit(3);";
const variables = { MY_TOKEN: secret, WANTED: 'wanted-value-1' };

/** Everything that a run wrote: events, prompts, reports and logs. */
function writtenBy(repo: EngineRepo, events: readonly unknown[]): string {
  const files = filesBelow(repo.stateDir).map((file) => readFileSync(file, 'latin1'));
  return [JSON.stringify(events), ...files].join('\n');
}

test('a command that verifies a criterion does not get them either', async () => {
  const repo = makeRepo({
    'joinery.json': '{"gates":{"env":["WANTED"]}}\n',
    'AGENTS.md': `# Guide\n\n## Quality Gates\n\n- lint: \`${process.execPath} tells.cjs\`\n`,
    'tells.cjs': `${tells}\n`,
    'src/add.js': 'export const one = 1;\n',
  });
  const attempts = [
    { task: 'a', n: 1, do: [{ write: { path: 'src/add.js', content: 'export const one = 2;\n' } }] },
    { role: 'developer', do: [{ exit: 'crashed' }] },
  ];
  const env = { ...process.env, ...variables, JOINERY_STATE_DIR: repo.stateDir };
  const bench = await openBench(repo, { attempts }, { env });
  const acceptance = [{ text: 'it is clean', verifyBy: 'lint', arg: 'lint' }];
  const run = bench.start({ tasks: [task('a', { files: ['src/add.js'], acceptance })] });
  const state = await bench.drive(run);
  const events = [...bench.workshop.engine.read(run)];
  bench.close();
  const [first] = state.steps.get('a')?.attempts ?? [];
  expect(JSON.stringify(first?.findings)).toContain('own: undefined wanted-value-1 found: [MY_TOKEN]');
  expect(writtenBy(repo, events)).not.toContain(secret);
});

test('a command that installs dependencies does not get them either', async () => {
  const repo = makeRepo({
    'joinery.json': '{"gates":{"env":["WANTED"]}}\n',
    'src/add.js': 'export const one = 1;\n',
  });
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = { ...process.env, JOINERY_STATE_DIR: repo.stateDir };
  const provisioning = Provisioning.parse({ install: [process.execPath, '-e', tells] });
  const bench = await openBench(repo, { attempts: [] }, { env, provisioning });
  const run = bench.start({ tasks: [task('a', { files: ['src/add.js'] })] });
  const ended = await bench.drive(run).catch((error: Error) => error);
  const events = [...bench.workshop.engine.read(run)];
  bench.close();
  const told = ended instanceof Error ? ended.message : JSON.stringify(ended);
  expect(told).toContain('own: undefined wanted-value-1 found: [MY_TOKEN]');
  expect(told).not.toContain(secret);
  expect(writtenBy(repo, events)).not.toContain(secret);
});

test('a value that is hidden in logs is a secret in the work', async () => {
  const repo = makeRepo({ 'src/add.js': 'export const one = 1;\n' });
  const written = { write: { path: 'src/add.js', content: `export const one = '${secret}';\n` } };
  const attempts = [
    { task: 'a', n: 1, do: [written] },
    { role: 'developer', do: [{ exit: 'crashed' }] },
  ];
  const env = { ...process.env, MY_TOKEN: secret, JOINERY_STATE_DIR: repo.stateDir };
  const bench = await openBench(repo, { attempts }, { env });
  const run = bench.start({ tasks: [task('a', { files: ['src/add.js'] })] });
  const state = await bench.drive(run);
  bench.close();
  const [first] = state.steps.get('a')?.attempts ?? [];
  expect(first?.verdict).toBe('revise');
  expect(first?.findings.map(({ message }) => message).join()).toContain('the value of MY_TOKEN');
  expect(JSON.stringify(first?.findings)).not.toContain(secret);
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
