import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryReport } from '#schema/memory.ts';
import { ReviewReport } from '#schema/review.ts';
import { fingerprint, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const project = {
  'package.json': '{"name":"p","type":"module"}\n',
  'joinery.json': '{"gates":{"commands":[{"kind":"test","run":"node --test"}]}}\n',
  'sum.js': 'export function sum(list) {\n  return list.reduce((a, b) => a + b, 0);\n}\n',
  'sum.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from './sum.js';\ntest('sum', () => assert.equal(sum([1, 2]), 3));\n",
};
/** Wrong for an empty list, which its test does not cover. */
const mean = {
  'mean.js':
    "import { sum } from './sum.js';\n\nexport function mean(list) {\n  return sum(list) / list.length;\n}\n",
  'mean.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { mean } from './mean.js';\ntest('mean', () => assert.equal(mean([1, 3]), 2));\n",
};
const empty = {
  severity: 'blocking',
  category: 'logic',
  file: 'mean.js',
  line: 4,
  symbol: 'mean',
  issue: 'The mean of an empty list is NaN.',
};
const redTest =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { mean } from './mean.js';\ntest('the mean of nothing', () => assert.equal(mean([]), 0));\n";

type Script = readonly object[];
const say = (value: unknown): Script => [{ say: JSON.stringify(value) }, { usage: { in: 10, out: 5 } }];
const findings = (...list: object[]): Script => say({ findings: list });
const accept = say({ accepted: [{ id: 'f1', reason: 'real' }], deferred: [], rejected: [], approved: false });

let state = '';
beforeEach(() => {
  state = temporaryFolder();
});

function repositoryWithBranch(): GitRepository {
  const repository = new GitRepository();
  repository.commit(project);
  repository.branch('work', mean);
  return repository;
}

async function review(
  repository: GitRepository,
  scripts: Readonly<Record<string, Script>>,
  ...args: string[]
) {
  const attempts = Object.entries(scripts).map(([key, actions]) => {
    const [role, task, n] = key.split(' ');
    return { role, ...(task ? { task } : {}), ...(n ? { n: Number(n) } : {}), do: actions };
  });
  const scenario = join(temporaryFolder(), 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ schema: 'joinery/scenario@1', attempts }));
  const { stdout, stderr, code } = await joinery(
    [
      'review',
      'work',
      '--reviewers',
      'scripted:opus,scripted:gpt-5',
      '--scenario',
      scenario,
      '--json',
      ...args,
    ],
    {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: state },
    },
  );
  return { code, stderr, report: ReviewReport.strict().parse(JSON.parse(stdout)) };
}

describe('joinery review', () => {
  test('a finding of one reviewer is confirmed by a red test, and the checkout is not touched', async () => {
    const repository = repositoryWithBranch();
    const before = fingerprint(repository.dir).filter((line) => !line.includes('/.git/'));
    const { code, report } = await review(repository, {
      'reviewer scripted': findings(empty),
      'reviewer scripted-2': findings(),
      assessor: accept,
      prover: [
        { write: { path: 'mean-empty.test.js', content: redTest } },
        ...say({ tests: [{ finding: 'f1', file: 'mean-empty.test.js' }] }),
      ],
    });
    expect(code).toBe(1);
    expect(report).toMatchObject({
      verdict: 'revise',
      stoppedAt: 'nowhere',
      consensus: { verdict: 'agreed', disagreements: [{ settledBy: 'test: confirmed' }] },
      triage: { approved: false, accepted: [{ id: 'f1', verification: { result: 'confirmed' } }] },
      redTests: [{ finding: 'f1', file: 'mean-empty.test.js', content: redTest }],
      reviewers: [
        { name: 'scripted', alone: ['f1'] },
        { name: 'scripted-2', alone: [] },
      ],
    });
    expect(report.checks.some(({ name, status }) => name === 'gate test' && status === 'pass')).toBe(true);
    expect(report.cost.map(({ role, reviewer }) => [role, reviewer])).toEqual([
      ['reviewer', 'scripted'],
      ['reviewer', 'scripted-2'],
      ['assessor', null],
      ['prover', null],
    ]);
    expect(fingerprint(repository.dir).filter((line) => !line.includes('/.git/'))).toEqual(before);
  });

  test('changed lines are mutated first, a checklist is judged, and an objection leads to an audit', async () => {
    const repository = repositoryWithBranch();
    const checklist = join(temporaryFolder(), 'shaping.json');
    const shaping = {
      ...{ kind: 'wr.shaping_handoff', version: 1, pitchPath: 'pitch.md', selectedShape: 'a function' },
      ...{ appetite: 'a day', keyConstraints: [], rabbitHoles: [], outOfScope: [] },
      validationChecklist: ['An empty list has a mean.'],
    };
    writeFileSync(checklist, JSON.stringify(shaping));
    const criteria = [{ text: 'An empty list has a mean.', status: 'missing', evidence: 'mean.js:4' }];
    const { code, report } = await review(
      repository,
      {
        'reviewer scripted': say({ findings: [{ ...empty, category: 'architecture' }], criteria }),
        'reviewer scripted-2': say({ findings: [{ ...empty, category: 'architecture' }], criteria }),
        'architecture-auditor': findings({
          ...empty,
          severity: 'minor',
          symbol: 'sum',
          issue: 'Two places sum.',
        }),
        assessor: say({
          accepted: [{ id: 'f1', reason: 'real' }],
          deferred: [{ id: 'f2', reason: 'later' }],
          rejected: [],
          approved: false,
        }),
      },
      ...['--no-gates', '--no-tests', '--audit', '--mutants', '2', '--checklist', checklist],
    );
    expect(code).toBe(1);
    expect(report).toMatchObject({
      criteria: [{ text: 'An empty list has a mean.', status: 'missing' }],
      audit: { route: 'architecture', status: 'answered', findings: 1 },
      taskType: { type: 'feature' },
      mutants: { tried: 2, undecided: 0 },
      consensus: { verdict: 'agreed', disagreements: [] },
    });
    expect(report.findings.map(({ reviewers }) => reviewers.join())).toEqual([
      'scripted,scripted-2',
      'architecture-audit',
    ]);
    expect(report.mutants?.killed).toBeGreaterThan(0);
  });

  test.each([
    ['nobody', 3, 'unknown-agent'],
    ['codex', 5, 'agent-missing'],
  ])('%s cannot be asked: that is reported before anything starts', async (name, code, error) => {
    const repository = repositoryWithBranch();
    const { stdout, code: exit } = await joinery(['review', 'work', '--reviewers', name, '--json'], {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: state },
    });
    expect(exit).toBe(code);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'error', error: { code: error } });
  });

  test('no reviewer is asked while a check is red', async () => {
    const repository = new GitRepository();
    repository.commit(project);
    repository.branch('work', { 'mean.js': mean['mean.js'] });
    const { code, report } = await review(repository, {});
    expect(code).toBe(1);
    expect(report).toMatchObject({ stoppedAt: 'checks', verdict: 'revise', cost: [], reviewers: [] });
  });

  test('a branch without changes is told to change, not to try again', async () => {
    const repository = new GitRepository();
    repository.commit(project);
    repository.git('branch', 'work');
    const scenario = join(temporaryFolder(), 'scenario.json');
    writeFileSync(scenario, JSON.stringify({ schema: 'joinery/scenario@1', attempts: [] }));
    const { stdout, code } = await joinery(
      ['review', 'work', '--reviewers', 'scripted:opus,scripted:gpt-5', '--scenario', scenario],
      { cwd: repository.dir, env: { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: state } },
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ work: revise \(no reviewer was asked: non-empty-diff: nothing was changed\)/);
    expect(stdout).toMatch(/when it has changed: joinery review work/);
  });

  test('invented findings are kept and block nothing; without the answer of a late reviewer nothing is approved', async () => {
    const repository = repositoryWithBranch();
    const invented = [
      { ...empty, file: 'ghost.js' },
      { ...empty, line: 400 },
      { ...empty, symbol: 'median' },
    ];
    const ids = ['f1', 'f2', 'f3'].map((id) => ({ id, reason: 'not there' }));
    const { code, report, stderr } = await review(
      repository,
      {
        'reviewer scripted': findings(...invented),
        'reviewer scripted-2': [{ sleepMs: 60_000 }],
        assessor: say({ accepted: [], deferred: [], rejected: ids, approved: true }),
      },
      '--timeout',
      '5',
      '--no-gates',
    );
    expect(code).toBe(2);
    expect(report.findings.map(({ unverified }) => unverified !== null)).toEqual([true, true, true]);
    expect(report).toMatchObject({
      verdict: 'uncertain',
      consensus: { verdict: 'unverified', reviewers: 1 },
    });
    expect(report.reason).toContain('scripted-2 was asked and did not answer (late');
    expect(report.reviewers.map(({ status }) => status)).toEqual(['answered', 'late']);
    expect(stderr).toContain('reviewer scripted-2 is absent');
  });

  test('no answer: the first reviewer is asked once more, then the review halts with the next command', async () => {
    const repository = repositoryWithBranch();
    const { code, report } = await review(
      repository,
      { 'reviewer scripted': [{ exit: 'crashed' }], 'reviewer scripted-2': [{ say: 'looks good to me' }] },
      '--no-gates',
    );
    expect(code).toBe(2);
    expect(report).toMatchObject({ stoppedAt: 'reviewers', verdict: 'uncertain' });
    expect(report.resume).toBe('joinery review work --reviewers scripted:opus,scripted:gpt-5');
    expect(report.cost).toHaveLength(3);
  });

  test('a split is never a pass; one rebuttal round may end it', async () => {
    const repository = repositoryWithBranch();
    const defer = say({
      accepted: [],
      deferred: [{ id: 'f1', reason: 'unclear' }],
      rejected: [],
      approved: true,
    });
    const scripts = {
      'reviewer scripted': findings(empty),
      'reviewer scripted-2': findings(),
      assessor: defer,
    };
    const split = await review(repository, scripts, '--no-gates', '--no-tests');
    expect(split).toMatchObject({
      code: 2,
      report: { verdict: 'uncertain', rebuttals: 0, consensus: { verdict: 'split' } },
    });
    const joined = await review(
      repository,
      { ...scripts, 'reviewer scripted-2 3': findings(empty), assessor: accept },
      '--no-gates',
      '--no-tests',
      '--rebuttal',
    );
    expect(joined).toMatchObject({ code: 1, report: { rebuttals: 1, consensus: { verdict: 'agreed' } } });
  });

  test('an assessor cannot defer what blocks: a test decides, or a person', async () => {
    const repository = repositoryWithBranch();
    const scripts = {
      'reviewer scripted': findings(empty),
      'reviewer scripted-2': findings(empty),
      assessor: say({
        accepted: [],
        deferred: [{ id: 'f1', reason: 'later' }],
        rejected: [],
        approved: true,
      }),
    };
    const proving = (content: string) => [
      { write: { path: 'mean-empty.test.js', content } },
      ...say({ tests: [{ finding: 'f1', file: 'mean-empty.test.js' }] }),
    ];
    const confirmed = await review(repository, { ...scripts, prover: proving(redTest) }, '--no-gates');
    expect(confirmed).toMatchObject({
      code: 1,
      report: {
        verdict: 'revise',
        triage: { approved: false, accepted: [{ id: 'f1', verification: { result: 'confirmed' } }] },
        redTests: [{ finding: 'f1' }],
      },
    });
    const disproved = await review(
      repository,
      { ...scripts, prover: proving(redTest.replace('[]', '[0]')) },
      '--no-gates',
    );
    expect(disproved).toMatchObject({ code: 0, report: { verdict: 'approve', redTests: [], resume: null } });
    const untested = await review(repository, scripts, '--no-gates', '--no-tests');
    expect(untested).toMatchObject({
      code: 2,
      report: { verdict: 'uncertain', consensus: { verdict: 'agreed' } },
    });
    expect(untested.report.reason).toContain('f1');
    expect(untested.report.resume).not.toBeNull();
  });

  test('a triage that loses a finding is sent back once, then a person is needed; nothing is lost', async () => {
    const repository = repositoryWithBranch();
    const scripts = { 'reviewer scripted': findings(empty), 'reviewer scripted-2': findings(empty) };
    const none = say({ accepted: [], deferred: [], rejected: [], approved: true });
    const lost = await review(repository, { ...scripts, assessor: none }, '--no-gates', '--no-tests');
    expect(lost).toMatchObject({
      code: 2,
      report: { stoppedAt: 'triage', verdict: 'uncertain', findings: [{ id: 'f1' }] },
    });
    const mended = await review(
      repository,
      { ...scripts, assessor: none, 'assessor plan 2': accept },
      '--no-gates',
      '--no-tests',
    );
    expect(mended).toMatchObject({ code: 1, report: { verdict: 'revise' } });
    const over = say({ accepted: [], deferred: [], rejected: [{ id: 'f1', reason: 'no' }], approved: true });
    const guarded = await review(repository, { ...scripts, assessor: over }, '--no-gates', '--no-tests');
    expect(guarded).toMatchObject({ code: 2, report: { guards: [expect.stringContaining('2 reviewers')] } });
  });

  test('memory is stored, recalled and forgotten, and never prevents a finding from blocking', async () => {
    const repository = repositoryWithBranch();
    const memory = async (...args: string[]) => {
      const { stdout, code } = await joinery(['memory', ...args, '--json'], {
        cwd: repository.dir,
        env: { JOINERY_STATE_DIR: state },
      });
      return { code, report: code === 0 ? MemoryReport.strict().parse(JSON.parse(stdout)) : null };
    };
    await memory('add', 'The mean of an empty list may be NaN, reject such findings', '--file', 'sum.js');
    const scripts = {
      'reviewer scripted': findings(empty, {
        ...empty,
        severity: 'minor',
        issue: 'Name it average.',
        symbol: 'sum',
      }),
      'reviewer scripted-2': findings(empty),
      assessor: say({
        accepted: [{ id: 'f1', reason: 'real' }],
        deferred: [],
        rejected: [{ id: 'f2', reason: 'taste' }],
        approved: true,
      }),
    };
    const { code } = await review(repository, scripts, '--no-gates', '--no-tests');
    expect(code).toBe(1);
    const { report } = await memory('search', 'average', 'empty', 'list');
    expect(report?.memories.map(({ kind }) => kind).sort()).toEqual(['finding', 'learning', 'preference']);
    expect(report?.memories.filter(({ isExpired }) => !isExpired).map(({ kind }) => kind)).toEqual([
      'learning',
    ]);
    repository.git('checkout', '-q', 'work');
    const onBranch = (await memory('search', 'average', 'empty', 'list')).report?.memories;
    expect(onBranch?.every(({ isExpired }) => !isExpired)).toBe(true);
    repository.commit({ 'sum.js': `${project['sum.js']}// changed\n` });
    const learning = (await memory('search', 'empty')).report?.memories.find(
      ({ kind }) => kind === 'learning',
    );
    expect(learning?.isExpired).toBe(true);
    expect((await memory('forget', learning?.id ?? '')).code).toBe(0);
    expect((await memory('forget', learning?.id ?? '')).code).toBe(3);
    expect((await memory('add', 'x', '--file', 'none.js')).code).toBe(3);
  });
});
