import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentDriver } from '#agents/driver.ts';
import { reportOf } from '#crew/state/report.ts';
import { stepOf } from '#crew/state/state.ts';
import { Provisioning } from '#schema/provisioning.ts';
import { openBench, task } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { temporaryFolder } from '#test/support/joinery.ts';

/** Counts the lines of `tests.txt` as tests: `name pass`, `name fail`. */
const suite = `
const tests = require('node:fs').readFileSync('tests.txt', 'utf8').trim().split('\\n').map((line) => line.split(' '));
const failed = tests.filter(([, how]) => how === 'fail');
for (const [name] of failed) console.log(' FAIL  a.test.ts > ' + name);
if (process.env.LITTER) require('node:fs').writeFileSync('litter.txt', 'x');
console.log('      Tests  ' + (failed.length ? failed.length + ' failed | ' : '') + (tests.length - failed.length) + ' passed (' + tests.length + ')');
process.exit(failed.length ? 1 : 0);
`;
const project = {
  'AGENTS.md': '# Guide\n\n## Quality Gates\n\n- lint: `node --check src/one.js`\n- test: `node suite.cjs`\n',
  'suite.cjs': suite,
  'tests.txt': 'adds pass\nold fail\n',
  'src/one.js': 'exports.one = 1;\n',
};

async function play(
  actions: readonly (readonly object[])[],
  files: Readonly<Record<string, string>> = project,
  env: Readonly<Record<string, string>> = {},
) {
  const repo = makeRepo(files);
  const bench = await openBench(
    repo,
    {
      attempts: [
        ...actions.map((list, index) => ({ task: 'a', n: index + 1, do: list })),
        { role: 'developer', do: [{ exit: 'crashed' }] },
      ],
    },
    {
      env: {
        ...process.env,
        ...env,
        JOINERY_STATE_DIR: repo.stateDir,
        JOINERY_CACHE_DIR: `${repo.stateDir}-cache`,
      },
    },
  );
  const run = bench.start({ tasks: [task('a', { files: ['src/one.js', 'tests.txt'] })] });
  const state = await bench.drive(run);
  const events = [...bench.workshop.engine.read(run)];
  const prompts = events.flatMap((event) =>
    event.type === 'attempt.prompted' ? [bench.workshop.engine.artifact(run, event.data.sha256) ?? ''] : [],
  );
  const gated = events.flatMap((event) => (event.type === 'attempt.gated' ? [event.data] : []));
  bench.close();
  return { repo, state, events, prompts, gated, report: reportOf(run, state), step: stepOf(state, 'a') };
}

const write = (path: string, content: string) => ({ write: { path, content } });

describe('gates of an attempt', () => {
  test('that passes are listed in the report with their evidence', async () => {
    const { step, report, gated, prompts } = await play([[write('src/one.js', 'exports.one = 2;\n')]]);
    expect(step.status).toBe('accepted');
    expect(gated[0]).toMatchObject({ status: 'pass', commit: step.commit });
    expect(report.tasks[0]?.claims).toMatchObject([
      {
        claim: 'lint',
        gate: 'lint',
        status: 'pass',
        exitCode: 0,
        evidence: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
      {
        claim: 'test',
        command: 'node suite.cjs',
        status: 'pass',
        reason: '1 passed, 1 failed; 1 fail on the base commit too',
        tests: { passed: 1, failed: 1, skipped: 0 },
        log: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(prompts[0]).toContain('    joinery gates --task a --fast\n');
    expect(prompts[0]).toContain('    joinery gates --task a --full\n');
    expect(prompts[0]).toContain('- test: `node suite.cjs`');
  });

  test('that fail send the work back with the failing log, and accept the fixed work', async () => {
    const { step, prompts, gated } = await play([
      [write('src/one.js', 'exports.one = 2;\n'), write('tests.txt', 'adds fail\nold fail\nmore pass\n')],
      [write('tests.txt', 'adds pass\nold fail\nmore pass\n')],
    ]);
    expect(step.attempts.map(({ verdict }) => verdict)).toEqual(['revise', 'approve']);
    expect(step.status).toBe('accepted');
    expect(gated.map(({ status }) => status)).toEqual(['fail', 'pass']);
    expect(prompts[1]).toContain('gate test (node suite.cjs): 1 passed, 2 failed; 1 new');
    expect(prompts[1]).toContain('new failure: a.test.ts > adds');
    expect(prompts[1]).toContain('|  FAIL  a.test.ts > adds');
  });

  test('that fail the same way twice go to a person', async () => {
    const { step } = await play([
      [write('src/one.js', 'exports.one = ;\n')],
      [write('src/one.js', 'exports.one = ;\n\n')],
    ]);
    expect(step.status).toBe('escalated');
    expect(step.attempts).toHaveLength(2);
  });

  test('do not run if grounding fails', async () => {
    const { gated, events } = await play([
      [write('suite.cjs', "console.log('1 passed');\n")],
      [{ say: 'done' }],
    ]);
    expect(gated).toEqual([]);
    expect(events.some(({ type }) => type === 'attempt.grounded')).toBe(true);
  });

  test('that litter affect neither the work nor the next gate', async () => {
    const files = {
      ...project,
      'AGENTS.md':
        '## Quality Gates\n- lint: `LITTER=1 node suite.cjs`\n- build: `test ! -e litter.txt && echo clean`\n',
      'tests.txt': 'adds pass\n',
    };
    const { step, gated, repo } = await play([[write('src/one.js', 'exports.one = 2;\n')]], files);
    expect(gated[0]?.claims.map(({ gate, status }) => [gate, status])).toEqual([
      ['lint', 'warn'],
      ['build', 'pass'],
    ]);
    expect(gated[0]?.claims[0]?.reason).toContain('changed its own worktree: litter.txt');
    expect(step.status).toBe('accepted');
    expect(repo.git('ls-tree', '-r', '--name-only', step.commit ?? '')).not.toContain('litter.txt');
    expect(existsSync(`${repo.dir}/litter.txt`)).toBe(false);
  });

  test('that rewrite the work fail, because they tested something else', async () => {
    const files = {
      ...project,
      'AGENTS.md': '## Quality Gates\n- lint: `echo "exports.one = 1;" > src/one.js && echo fixed`\n',
    };
    const { gated, step } = await play([[write('src/one.js', 'exports.one=2\n')], [{ say: 'done' }]], files);
    expect(gated[0]?.claims).toMatchObject([{ gate: 'lint', status: 'fail' }]);
    expect(gated[0]?.claims[0]?.reason).toContain('changed its own worktree: src/one.js');
    expect(step.status).toBe('escalated');
  });

  test('are not influenced by ignored files that an agent leaves', async () => {
    const files = {
      ...project,
      '.gitignore': 'local/\n',
      'suite.cjs': `if (require('node:fs').existsSync('local/hook.cjs')) require('./local/hook.cjs');\n${suite}`,
    };
    const { step, gated } = await play(
      [
        [
          write('tests.txt', 'adds fail\n'),
          write('local/hook.cjs', "console.log('      Tests  9 passed (9)'); process.exit(0);\n"),
        ],
        [{ say: 'done' }],
      ],
      files,
    );
    expect(gated[0]?.claims[1]).toMatchObject({ status: 'fail', newFailures: ['a.test.ts > adds'] });
    expect(step.status).toBe('escalated');
  });

  test('run with the dependencies the agent was given, not with those it left, and it never wrote to the checkout', async () => {
    const fake = "console.log('1 passed');\n";
    const repo = makeRepo({
      ...project,
      '.gitignore': 'node_modules/\n',
      'AGENTS.md': '## Quality Gates\n- test: `node node_modules/runner/index.js`\n',
    });
    const installed = join(repo.dir, 'node_modules/runner/index.js');
    mkdirSync(dirname(installed), { recursive: true });
    writeFileSync(
      installed,
      "process.exit(require('node:fs').readFileSync('src/one.js', 'utf8').includes('99') ? 1 : (console.log('1 passed'), 0));\n",
    );
    const honest = readFileSync(installed, 'utf8');
    const cheat = [write('src/one.js', 'exports.one = 99;\n'), write('node_modules/runner/index.js', fake)];
    const attempts = [{ role: 'developer', do: cheat }];
    const bench = await openBench(repo, { attempts });
    const acceptance = [{ text: 'it works', verifyBy: 'test' }];
    const run = bench.start({
      tasks: [
        task('a', { files: ['src/one.js'] }),
        task('b', { files: ['src/one.js'], acceptance, dependsOn: [] }),
      ],
    });
    const state = await bench.drive(run);
    bench.close();
    expect(readFileSync(installed, 'utf8')).toBe(honest);
    expect(['a', 'b'].map((id) => stepOf(state, id).status)).toEqual(['escalated', 'escalated']);
  });

  test('get their dependencies unchanged, whatever the previous gate did to them', async () => {
    const runner =
      "console.log(require('node:fs').readFileSync('src/one.js', 'utf8').includes('99') ? '1 failed' : '1 passed');\n";
    const repo = makeRepo({
      ...project,
      '.gitignore': 'node_modules/\ndist/\n',
      'AGENTS.md':
        '## Quality Gates\n- build: `node src/one.js`\n- test: `cat dist/built && node node_modules/runner/index.js`\n',
    });
    const installed = join(repo.dir, 'node_modules/runner/index.js');
    mkdirSync(dirname(installed), { recursive: true });
    writeFileSync(installed, runner);
    const work = (value: number) =>
      `const fs = require('node:fs');\nfs.mkdirSync('dist');\nfs.writeFileSync('dist/built', 'it is built\\n');\nfs.writeFileSync('node_modules/runner/index.js', "console.log('1 passed')");\nconsole.log('built ${value}');\n`;
    const bench = await openBench(repo, {
      attempts: [
        { task: 'a', do: [write('src/one.js', work(99))] },
        { task: 'b', do: [write('src/one.js', work(1))] },
      ],
    });
    const run = bench.start({
      tasks: ['a', 'b'].map((id) => task(id, { files: ['src/one.js'], dependsOn: [] })),
    });
    const state = await bench.drive(run);
    bench.close();
    expect(readFileSync(installed, 'utf8')).toBe(runner);
    expect(['a', 'b'].map((id) => stepOf(state, id).status)).toEqual(['escalated', 'accepted']);
  });

  const own = 'mkdir -p node_modules/runner && echo own > node_modules/runner/it';
  test.each([
    ['that it installed itself, for the checkout has none', own, {}, null],
    ['that it installed itself, for the config provides none', own, { mode: 'none' }, 'given'],
    ['that were given, though it moved them away', 'mv node_modules node_modules-old', {}, 'own'],
  ])('let a later gate find dependencies %s', async (_, command, wanted, installed) => {
    const repo = makeRepo({
      ...project,
      '.gitignore': 'node_modules*/\n',
      'AGENTS.md': `## Quality Gates\n- lint: \`${command} && echo done\`\n- build: \`grep own node_modules/runner/it\`\n`,
    });
    if (installed !== null) {
      mkdirSync(join(repo.dir, 'node_modules/runner'), { recursive: true });
      writeFileSync(join(repo.dir, 'node_modules/runner/it'), installed);
    }
    const scenario = { attempts: [{ task: 'a', do: [write('src/one.js', 'exports.one = 2;\n')] }] };
    const bench = await openBench(repo, scenario, { provisioning: Provisioning.parse(wanted) });
    const run = bench.start({ tasks: [task('a', { files: ['src/one.js'] })] });
    const state = await bench.drive(run);
    bench.close();
    expect(stepOf(state, 'a').attempts[0]?.claims).toMatchObject([
      { gate: 'lint', status: 'pass' },
      { gate: 'build', status: 'pass' },
    ]);
  });

  test('share neither temporary files nor caches with the agent', async () => {
    const repo = makeRepo({
      ...project,
      'AGENTS.md':
        '## Quality Gates\n- lint: `test -w "$TMPDIR" && test ! -e "$XDG_CACHE_HOME/poison" && echo clean`\n',
    });
    const bench = await openBench(
      repo,
      { attempts: [{ role: 'developer', do: [write('src/one.js', 'exports.one = 2;\n')] }] },
      {
        probe: (point) => {
          if (!point.endsWith('worktree: made')) return;
          const caches = readdirSync(repo.stateDir, { recursive: true, encoding: 'utf8' }).filter((path) =>
            path.endsWith('/cache'),
          );
          expect(caches).toHaveLength(1);
          for (const cache of caches) writeFileSync(join(repo.stateDir, cache, 'poison'), '');
        },
      },
    );
    const run = bench.start({ tasks: [task('a', { files: ['src/one.js'] })] });
    const state = await bench.drive(run);
    bench.close();
    expect(stepOf(state, 'a').attempts[0]?.claims).toMatchObject([{ gate: 'lint', status: 'pass' }]);
  });

  test('that were interrupted run again on resume, on the work as it was committed', async () => {
    const repo = makeRepo(project);
    const scenario = { attempts: [{ task: 'a', do: [write('src/one.js', 'exports.one = 2;\n')] }] };
    const first = await openBench(repo, scenario, {
      probe: (point) => {
        if (point === 'a/1/gates: run') throw new Error('cut off');
      },
    });
    const run = first.start({ tasks: [task('a', { files: ['src/one.js'] })] });
    await expect(first.drive(run)).rejects.toThrow('cut off');
    const path = [...first.workshop.engine.read(run)].flatMap((event) =>
      event.type === 'attempt.started' ? [event.data.path] : [],
    )[0];
    first.close();
    mkdirSync(`${path}/src`, { recursive: true });
    writeFileSync(`${path}/src/one.js`, 'exports.one = ;\n');
    const second = await openBench(repo, scenario);
    const state = await second.drive(run);
    const gated = [...second.workshop.engine.read(run)].filter(({ type }) => type === 'attempt.gated');
    second.close();
    expect(gated).toHaveLength(1);
    expect(stepOf(state, 'a')).toMatchObject({ status: 'accepted' });
    expect(stepOf(state, 'a').attempts).toHaveLength(1);
  });

  test('end with the run, and nothing of them is left or believed', async () => {
    const outside = temporaryFolder();
    const repo = makeRepo({
      ...project,
      'AGENTS.md': `## Quality Gates\n- lint: \`if [ -e ${outside}/go ]; then echo ok; else echo $$ > ${outside}/pid; exec sleep 600; fi\`\n`,
    });
    const scenario = { attempts: [{ task: 'a', do: [write('src/one.js', 'exports.one = 2;\n')] }] };
    const first = await openBench(repo, scenario);
    const run = first.start({ tasks: [task('a', { files: ['src/one.js'] })] });
    const stop = new AbortController();
    const driven = first.drive(run, { stop: stop.signal });
    await expect.poll(() => existsSync(`${outside}/pid`), { timeout: 30_000 }).toBe(true);
    const pid = Number(
      await expect
        .poll(() => readFileSync(`${outside}/pid`, 'utf8'))
        .toMatch(/\d\n/)
        .then(() => readFileSync(`${outside}/pid`, 'utf8')),
    );
    stop.abort('interrupted');
    await driven;
    first.close();
    expect(() => process.kill(pid, 0)).toThrow();
    writeFileSync(`${outside}/go`, '');
    const second = await openBench(repo, scenario);
    const state = await second.drive(run);
    second.close();
    expect(stepOf(state, 'a').status).toBe('accepted');
    expect(stepOf(state, 'a').attempts.map(({ claims }) => claims.map(({ status }) => status))).toEqual([
      ['pass'],
    ]);
  });

  test('whose guards are killed are not counted as failures: the run stops, and resumes with the same attempt', async () => {
    const calm = join(temporaryFolder(), 'calm');
    const repo = makeRepo({
      ...project,
      'AGENTS.md': `## Quality Gates\n- lint: \`[ -e ${calm} ] || kill -9 $PPID; echo ok\`\n`,
    });
    const scenario = { attempts: [{ task: 'a', n: 1, do: [write('src/one.js', 'exports.one = 2;\n')] }] };
    const first = await openBench(repo, scenario);
    const run = first.start({ tasks: [task('a', { files: ['src/one.js'] })] });
    await expect(first.drive(run)).rejects.toMatchObject({ code: 'guard-killed', exitCode: 5 });
    first.close();
    writeFileSync(calm, '');
    const second = await openBench(repo, scenario);
    const step = stepOf(await second.drive(run), 'a');
    const begun = [...second.workshop.engine.read(run)].filter(({ type }) => type === 'attempt.started');
    second.close();
    expect(step.attempts.map(({ verdict }) => verdict)).toEqual(['approve']);
    expect(begun).toHaveLength(1);
  });

  test('may be undefined', async () => {
    const { step, events } = await play([[write('src/one.js', 'exports.one = 2;\n')]], {
      'src/one.js': 'exports.one = 1;\n',
      'tests.txt': '',
    });
    expect(step.status).toBe('accepted');
    expect(events.some(({ type }) => type === 'attempt.gated')).toBe(false);
  });
});

describe('the suite on the base commit', () => {
  /** Dies on the base tree, recognised by a file that the work removes. */
  const dying = (note: string, how: string) => `
const fs = require('node:fs');
const isBase = fs.existsSync('old.txt');
fs.appendFileSync(${JSON.stringify(note)}, isBase ? 'base ' : 'work ');
if (isBase && ${how}) process.kill(process.pid, 'SIGKILL');
${suite}`;
  const files = (note: string, how: string) => ({
    ...project,
    'suite.cjs': dying(note, how),
    'tests.txt': 'a pass\nb pass\nc pass\nd pass\n',
    'old.txt': 'x',
  });
  const losesTests = [{ write: { path: 'tests.txt', content: 'a pass\n' } }, { delete: 'old.txt' }];

  test('that was killed once is run again: lost tests are still found', async () => {
    const note = join(temporaryFolder(), 'runs');
    const how = `fs.readFileSync(${JSON.stringify(note)}, 'utf8').split('base').length === 2`;
    const { gated } = await play([losesTests], files(note, how));
    expect(readFileSync(note, 'utf8')).toBe('work base base ');
    expect(gated[0]?.status).not.toBe('pass');
  });

  test('that never ends by itself leaves the gate inconclusive', async () => {
    const note = join(temporaryFolder(), 'runs');
    const { gated, state } = await play([losesTests], files(note, 'true'));
    expect(gated[0]?.status).toBe('inconclusive');
    expect(state.status).not.toBe('done');
  });

  test('in which nothing passes, before and after, decides nothing', async () => {
    const { gated } = await play([[{ write: { path: 'src/one.js', content: 'exports.one = 2;\n' } }]], {
      ...project,
      'tests.txt': 'adds fail\nold fail\n',
    });
    expect(gated[0]?.status).toBe('inconclusive');
  });

  test('is not believed from a file that agents can write', async () => {
    const { repo, gated } = await play([[{ write: { path: 'src/one.js', content: 'exports.one = 2;\n' } }]]);
    expect(gated[0]?.status).toBe('pass');
    const written = readdirSync(repo.stateDir, { recursive: true, encoding: 'utf8' });
    expect(written.filter((path) => path.includes('baselines'))).toEqual([]);
  });
});

/** The test fails on base; its first call writes a file and expects nothing. */
test('honest work is not called forged because a test has setup code', async () => {
  const text = [
    "const test = require('node:test');",
    "const assert = require('node:assert');",
    "const { mkdtempSync, writeFileSync } = require('node:fs');",
    "const { tmpdir } = require('node:os');",
    "const { join } = require('node:path');",
    "const { one } = require('./one.js');",
    "test('counts the lines of a file', () => {",
    "  const file = join(mkdtempSync(join(tmpdir(), 'one-')), 'a.txt');",
    "  writeFileSync(file, 'hello');",
    '  assert.equal(one(file), 1);',
    '});',
    '',
  ];
  const counting =
    "exports.one = (file) => require('node:fs').readFileSync(file, 'utf8').split('\\n').length;\n";
  const { step, gated } = await play([[write('src/one.js', counting)]], {
    'AGENTS.md': '# Guide\n\n## Quality Gates\n\n- test: `node --test src/`\n',
    'src/one.js': 'exports.one = () => 0;\n',
    'src/one.test.js': text.join('\n'),
    'package.json': '{ "name": "p" }\n',
    'tests.txt': '',
  });
  expect(gated[0]).toMatchObject({ claims: [{ status: 'pass', tests: { passed: 1 } }] });
  expect(step.status).toBe('accepted');
});

test('gates that ran with dependencies changed during the run prove nothing', async () => {
  const repo = makeRepo({
    'AGENTS.md': '## Quality Gates\n\n- test: `node node_modules/runner/suite.cjs`\n',
    '.gitignore': 'node_modules/\n',
    'tests.txt': 'adds pass\n',
    'src/one.js': 'exports.one = 1;\n',
  });
  const runner = join(repo.dir, 'node_modules/runner');
  mkdirSync(runner, { recursive: true });
  writeFileSync(join(runner, 'suite.cjs'), suite);
  const play = async (name: string) => {
    const driver: AgentDriver = {
      name: 'meddler',
      variables: [],
      play: async ({ cwd }, doors) => {
        writeFileSync(join(cwd, 'src/one.js'), `exports.one = ${JSON.stringify(name)};\n`);
        mkdirSync(dirname(join(repo.dir, 'node_modules', name)), { recursive: true });
        writeFileSync(join(repo.dir, 'node_modules', name), suite);
        doors.report({ type: 'text', text: 'x'.repeat(60) });
        return { outcome: 'ok', reason: '' };
      },
    };
    const bench = await openBench(repo, { attempts: [] }, { driver: () => driver });
    const run = bench.start({ tasks: [task('a', { files: ['src/one.js'] })] }, { autonomy: 'autopilot' });
    const step = stepOf(await bench.drive(run), 'a');
    bench.close();
    const incidents = step.attempts[0]?.incidents.map(({ detail }) => detail) ?? [];
    return {
      status: step.status,
      incidents,
      findings: step.attempts[0]?.findings.map(({ message }) => message) ?? [],
    };
  };
  const meddled = await play('runner/suite.cjs');
  expect(meddled.status).toBe('escalated');
  expect(meddled.incidents.join()).toContain('node_modules/runner/suite.cjs changed in the main checkout');
  expect(meddled.findings.join()).toContain('dependencies that were changed during the run');
  expect((await play('.vite/results.json')).status).toBe('accepted');
});
