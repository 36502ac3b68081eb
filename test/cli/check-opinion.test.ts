import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { CheckPromptReport } from '#schema/opinion.ts';
import { fingerprint, GitRepository } from '#test/support/git-repository.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';

const base = {
  'app/__init__.py': '',
  'app/api.py': 'def get(id):\n    return id\n',
  'app/price.py': 'def price():\n    return 1\n',
  'specs/shop.md': '# Shop\n\nSPEC-TEXT of the shop.\n',
};
const renames = {
  'app/api.py': 'def fetch(id):\n    return id\n',
  'app/price.py': 'def price(unit=1):\n    return 100\n',
};
const uses = {
  'app/use.py':
    'from app.api import get\nfrom app.price import price\n\nget(1)\n\n\ndef bill():\n    return price() * 3\n',
};
const cents = {
  task_a: 'a',
  task_b: 'b',
  location_a: 'app/price.py:2#price',
  location_b: 'app/use.py:8#bill',
  description: 'price is in cents on a, bill adds up euros',
  severity: 'critical',
};
const known = {
  ...cents,
  location_a: 'app/api.py:1',
  location_b: 'app/use.py:1',
  description: 'get is gone',
};
const invented = { ...cents, location_b: 'app/use.py:80', description: 'there is no such line' };
const contract = {
  schema: 'joinery/contract@1',
  coreQuestion: 'What does it cost?',
  entities: [
    { name: 'price', type: 'function', path: 'app/price.py', function: 'price', createdByTask: null },
  ],
};

function open() {
  const repository = new GitRepository();
  repository.commit(base);
  repository.branch('a', renames);
  repository.branch('b', uses);
  const outside = temporaryFolder();
  const env = {
    JOINERY_CACHE_DIR: join(outside, 'cache'),
    JOINERY_STATE_DIR: join(outside, 'state'),
    LC_ALL: 'C.UTF-8',
  };
  const put = (name: string, content: unknown) => {
    const file = join(outside, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const call = (...args: string[]) =>
    joinery(['check', 'main', 'a', 'b', ...args], { cwd: repository.dir, env });
  return {
    repository,
    put,
    call,
    says: (text: string) =>
      put('scenario.json', {
        schema: 'joinery/scenario@1',
        attempts: [{ role: 'coherence-reviewer', do: [{ usage: { in: 50, out: 5 } }, { say: text }] }],
      }),
    async report(...args: string[]) {
      const { code, stdout, stderr } = await call('--json', ...args);
      return { code, stderr, report: CheckReport.strict().parse(JSON.parse(stdout)) };
    },
  };
}

describe('joinery check --agent', () => {
  test('adds what code cannot see, drops what does not exist and leaves the verdict to code', async () => {
    const { repository, report, says, call } = open();
    const before = fingerprint(repository.dir);
    const plain = await report();
    const scenario = says(
      `Here:\n\`\`\`json\n${JSON.stringify({ status: 'pass', summary: 'Cents meet euros.', interface_mismatches: [cents, known, invented] })}\n\`\`\``,
    );
    const { code, report: judged } = await report('--agent', 'scripted', '--scenario', scenario);
    expect([code, judged.status]).toEqual([plain.code, plain.report.status]);
    const { opinion, findings, ...rest } = judged;
    const { findings: found, ...decided } = plain.report;
    expect(rest).toEqual(decided);
    expect(findings.filter(({ decidedBy }) => decidedBy === 'code')).toEqual(found);
    const added = findings.filter(({ decidedBy }) => decidedBy === 'agent');
    expect(added).toMatchObject([
      {
        rule: 'opinion',
        category: 'interface',
        severity: 'blocking',
        confidence: 'possible',
        effect: 'shown',
        branches: ['a', 'b'],
      },
    ]);
    expect(opinion).toMatchObject({
      status: 'read',
      said: 'pass',
      from: { agent: 'scripted', file: null },
      findings: [added[0]?.id],
      agrees: [{ finding: found[0]?.id, says: 'get is gone' }],
      dropped: [{ entry: 'interfaceMismatches[2]', reason: expect.stringContaining('names line 80') }],
      cost: { in: 50, out: 5 },
    });
    expect(opinion?.prompt?.bytes).toBeGreaterThan(1000);
    expect(fingerprint(repository.dir)).toEqual(before);

    const text = await call('--agent', 'scripted', '--scenario', scenario);
    expect(text.stdout).toContain('Opinion of scripted: 1 finding that code has not confirmed');
    expect(text.stdout).toContain('price is in cents on a');
    expect(text.stdout).toContain('Dropped  interfaceMismatches[2]: app/use.py has 8 lines on b');
    const sarif = JSON.parse(
      (await call('--agent', 'scripted', '--scenario', scenario, '--format', 'sarif')).stdout,
    );
    const [run] = sarif.runs;
    expect(
      run.results.map((each: { properties: { decidedBy: string } }) => each.properties.decidedBy),
    ).toEqual(['code', 'agent']);
    expect(run.properties.opinion.dropped).toHaveLength(1);
  });

  test('with an unreadable answer keeps the result of the check, and marks the opinion inconclusive', async () => {
    const { report, says, call } = open();
    const args = ['--agent', 'scripted', '--scenario', says('I could not find anything.')];
    const { code, report: judged } = await report(...args);
    expect(code).toBe(1);
    expect(judged.opinion).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringContaining('no JSON object'),
    });
    expect((await call(...args)).stdout).toContain('Opinion of scripted: inconclusive');
  });

  test('that changes files although it may only read gets no opinion', async () => {
    const { report, put } = open();
    const scenario = put('writes.json', {
      schema: 'joinery/scenario@1',
      attempts: [
        {
          role: 'coherence-reviewer',
          do: [{ write: { path: 'app/api.py', content: 'hacked' } }, { say: '{"status":"pass"}' }],
        },
      ],
    });
    const { code, report: judged } = await report('--agent', 'scripted', '--scenario', scenario);
    expect(code).toBe(1);
    expect(judged.opinion).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringContaining('only read'),
    });
  });

  test('is refused before the check if the agent does not exist or a file cannot be read', async () => {
    const { call } = open();
    const cases: [string[], RegExp][] = [
      [['--agent', 'klaud'], /there is no agent "klaud"/],
      [['--agent-report', 'none.json'], /--agent-report none.json/],
      [['--agent-prompt', '--spec', 'none.md'], /none.md/],
      [['--contract', 'c.json'], /none is asked/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr, stdout } = await call(...args);
      expect({ args, code, stdout }).toEqual({ args, code: 3, stdout: '' });
      expect(stderr).toMatch(message);
      expect(stderr).toMatch(/joinery|name one/);
    }
  });
});

describe('joinery check --agent-report', () => {
  test('reads an answer from a file, which with --strict does not decide either', async () => {
    const { repository, put } = open();
    repository.branch('c', { 'app/c.py': 'c = 1\n' });
    repository.branch('d', { 'app/d.py': 'd = 1\n' });
    const answer = put('answer.md', {
      behaviour_conflicts: [
        {
          description: 'c counts from 1',
          branches: ['c', 'd'],
          locations: ['app/c.py:1', 'app/d.py:1'],
          severity: 'critical',
        },
      ],
    });
    const { code, stdout } = await joinery(
      ['check', 'main', 'c', 'd', '--strict', '--json', '--agent-report', answer],
      {
        cwd: repository.dir,
        env: { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: temporaryFolder() },
      },
    );
    const report = CheckReport.strict().parse(JSON.parse(stdout));
    expect(report.findings).toMatchObject([
      { severity: 'blocking', effect: 'shown', category: 'behaviour', branches: ['c', 'd'] },
    ]);
    expect([code, report.status]).toEqual([0, 'pass']);
    expect(report.opinion?.from.file).toBe(answer);
  });

  test("a model's finding that is gone later is not called fixed, and cannot be replayed", async () => {
    const { repository, report, put } = open();
    const first = await report('--agent-report', put('one.json', { interface_mismatches: [cents] }));
    const [id = ''] = first.report.opinion?.findings ?? [];
    const second = await report('--against', 'last');
    expect(second.report.delta?.fixed).toEqual([]);
    expect(second.report.delta?.unverified.map((each) => each.id)).toEqual([id]);
    const file = put('first.json', first.report);
    const replay = await joinery(['replay', id, '--report', file], { cwd: repository.dir });
    expect(replay.code).toBe(3);
    expect(replay.stderr).toContain('opinion of a model');
  });
});

describe('joinery check --agent-prompt', () => {
  test('prints risk, diffs, spec, contract and instructions, in that order', async () => {
    const { call, put } = open();
    const args = ['--agent-prompt', '--spec', 'specs/shop.md', '--contract', put('contract.json', contract)];
    const { code, stdout } = await call(...args, '--json');
    expect(code).toBe(0);
    const { text, prompt } = CheckPromptReport.strict().parse(JSON.parse(stdout));
    const parts = [
      '# You are the coherence reviewer',
      '# Risk analysis',
      'boundary: a changes what b uses: app/price.py#price',
      '# Branch 1: a',
      '+def fetch(id):',
      '# Branch 2: b',
      'SPEC-TEXT',
      'What does it cost?',
      '# Your answer',
    ];
    const places = parts.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(prompt.bytes).toBe(Buffer.byteLength(text));
  });
});
