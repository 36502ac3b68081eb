import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AuditReport } from '#schema/audit.ts';
import { fingerprint, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const folder = '.claude/pipeline/login';

function record(inputs: string, outputs: string): string {
  return `\n## Handoff Record\n\n### Inputs consumed\n- ${inputs}\n\n### Outputs for next agents\n- ${outputs}\n\n### Decisions NOT covered by inputs\n- none\n`;
}

const good = {
  [`${folder}/01-plan.md`]: `# Plan\n\n## Requirements\n${record('none', '`01-plan.md#requirements` → developer')}`,
  [`${folder}/03-impl.md`]: `# Notes\n${record('`01-plan.md#requirements` → src/login.ts:1-2', 'none')}`,
  'src/login.ts': 'export function login() {\n  return true;\n}\n',
};

function makeRepository(files: Readonly<Record<string, string>> = {}): GitRepository {
  const repository = new GitRepository();
  repository.commit({ ...good, ...files });
  return repository;
}

function audit(dir: string, ...args: string[]) {
  return joinery(['audit', ...args], {
    cwd: dir,
    env: { LC_ALL: 'C.UTF-8', JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: temporaryFolder() },
  });
}

async function report(dir: string, ...args: string[]) {
  const { stdout, code } = await audit(dir, ...args, '--json');
  return { code, report: AuditReport.strict().parse(JSON.parse(stdout)) };
}

describe('joinery audit', () => {
  test('reports how well agents worked together, in words and by its exit code', async () => {
    const { dir } = makeRepository();
    const before = fingerprint(dir);
    const { code, stdout, stderr } = await audit(dir, folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('✓ login: Coordination Score 100 %: Healthy');
    expect(fingerprint(dir)).toEqual(before);
  });

  test('fails on invented references and suggests what was meant', async () => {
    const repository = makeRepository();
    repository.write({
      [`${folder}/03-impl.md`]: good[`${folder}/03-impl.md`]?.replace('#requirements', '#requirement') ?? '',
    });
    const { code, stdout } = await audit(repository.dir, folder);
    expect(code).toBe(1);
    expect(stdout).toContain('FABRICATION');
    expect(stdout).toContain('did you mean #requirements?');
    expect((await report(repository.dir, folder)).report.fabrications).toMatchObject([
      { agent: 'developer', cited: '01-plan.md#requirement', kind: 'input', line: 6 },
    ]);
  });

  test('an agent may judge what code cannot; code checks what it cites, and no answer leaves the claim open', async () => {
    const { dir } = makeRepository();
    const judge = async (answer: unknown) => {
      const scenario = join(temporaryFolder(), 'scenario.json');
      const script = { role: 'code-evaluator', do: [{ say: JSON.stringify(answer) }] };
      writeFileSync(scenario, JSON.stringify({ schema: 'joinery/scenario@1', attempts: [script] }));
      const { code, report: said } = await report(dir, folder, '--agent', 'scripted', '--scenario', scenario);
      return { code, status: said.code.claims.map(({ status }) => status), judge: said.code.judge?.status };
    };
    const confirmed = {
      claim: 'c1',
      status: 'CONFIRMED',
      lines: [1, 2],
      quote: 'return true',
      confidence: 'high',
    };
    const asked = (change: object) => judge({ judgements: [{ ...confirmed, ...change }] });
    expect(await asked({})).toEqual({ code: 0, status: ['CONFIRMED'], judge: 'answered' });
    expect((await asked({ quote: 'return false' })).status).toEqual(['PARTIAL']);
    expect(await asked({ status: 'MISSING_IN_CODE' })).toMatchObject({
      code: 1,
      status: ['MISSING_IN_CODE'],
    });
    expect(await judge('I do not know')).toEqual({ code: 2, status: ['UNJUDGED'], judge: 'no-answer' });
  });

  test('reports theater', async () => {
    const repository = makeRepository();
    repository.write({
      [`${folder}/03-impl.md`]: `# Notes\n\n## Own\n${record('`src/login.ts#login` → x', 'none')}`,
    });
    const { code, stdout } = await audit(repository.dir, folder);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^⚠ COORDINATION FAILURE/);
  });

  test('does not follow links out of the repository', async () => {
    const repository = makeRepository();
    symlinkSync('/etc/passwd', join(repository.dir, 'src', 'out.md'));
    symlinkSync('/etc/nowhere-at-all', join(repository.dir, 'src', 'nowhere.md'));
    repository.write({
      [`${folder}/03-impl.md`]: `# N\n${record('`src/out.md#root` → x\n- `src/nowhere.md#a` → y', 'none')}`,
    });
    const found = await report(repository.dir, folder);
    expect(found.code).toBe(1);
    expect(found.report.findings.filter(({ flag }) => flag === 'INVALID_PATH')).toHaveLength(2);
  });

  test('needs no git', async () => {
    const dir = temporaryFolder();
    new GitRepository({ dir }).write(good);
    expect((await report(dir, folder)).report).toMatchObject({ score: 100, exitCode: 0 });
    expect((await report(join(dir, folder))).report).toMatchObject({ score: 100 });
  });

  test('compares what records say about code with the code and the diff', async () => {
    const repository = makeRepository();
    repository.git('switch', '-q', '-c', 'work');
    const claim = (usedFor: string) => {
      repository.write({
        [`${folder}/03-impl.md`]: `# N\n${record(`\`01-plan.md#requirements\` → ${usedFor}`, 'none')}`,
      });
      return report(repository.dir, folder).then((found) => found.report.code);
    };
    repository.write({ 'src/new.ts': 'export function fresh() {\n  return 1;\n}\n' });
    expect((await claim('`fresh()` at src/new.ts:1-3')).claims).toMatchObject([
      { status: 'UNJUDGED', inDiff: true, symbols: { found: ['fresh'] } },
    ]);
    expect((await claim('`stale` at src/new.ts:1-3')).claims).toMatchObject([
      { status: 'PARTIAL', evidence: 'stale does not occur in src/new.ts' },
    ]);
    expect((await claim('`fresh` at src/new.ts:2-3')).claims).toMatchObject([
      { status: 'PARTIAL', evidence: 'fresh is defined at src/new.ts:1, not in the lines cited' },
    ]);
    const handOn = (outputs: string) => {
      repository.write({
        [`${folder}/03-impl.md`]: `# N\n${record('`01-plan.md#requirements` → x', outputs)}`,
      });
      return report(repository.dir, folder).then(({ report: { code } }) =>
        code.claims.map(({ status, evidence }) => `${status} ${evidence}`),
      );
    };
    expect(await handOn('`src/new.ts#fresh` → reviewer')).toEqual([]);
    expect(await handOn('`src/new.ts#L1-L2` → reviewer')).toEqual([]);
    expect(await handOn('`src/login.ts#login` → reviewer')).toEqual([
      'PARTIAL src/login.ts is handed on as made here and was not changed',
    ]);
    expect((await claim('src/login.ts:1-2')).claims).toMatchObject([{ status: 'PARTIAL', inDiff: false }]);
    expect((await claim('src/login.ts:9')).claims).toMatchObject([{ status: 'PARTIAL', lines: null }]);
    expect((await claim('src/none.ts:9')).claims).toMatchObject([{ status: 'MISSING_FILE' }]);
    expect((await claim('../../etc/a.ts:9')).claims).toMatchObject([{ status: 'MISSING_FILE' }]);
  });

  test('skips the diff outside git and before the first commit', async () => {
    const dir = temporaryFolder();
    new GitRepository({ dir }).write(good);
    expect((await report(dir, folder)).report.code.diff.status).toBe('skipped');
    const unborn = new GitRepository();
    unborn.write(good);
    const { code } = (await report(unborn.dir, folder)).report;
    expect(code.diff).toEqual({ status: 'skipped', detail: 'nothing was committed yet' });
    expect(code.claims).toMatchObject([{ status: 'UNJUDGED', inDiff: null }]);
  });

  test('writes its report and a diagram on request, and does not audit them', async () => {
    const { dir } = makeRepository();
    const before = fingerprint(dir);
    expect((await audit(dir, folder, '--write')).code).toBe(0);
    const [first] = readdirSync(join(dir, folder)).filter((name) => name.startsWith('coherence-'));
    expect(first).toBe('coherence-graph.svg');
    expect(readFileSync(join(dir, folder, 'coherence-report.md'), 'utf8')).toContain('(1/1 edges)');
    expect((await report(dir, folder)).report.pipeline).toEqual(['planner', 'developer']);
    expect(fingerprint(dir).length).toBe(before.length + 2);
  });

  test.each([
    ['nowhere', 'there is no folder or run nowhere'],
    ['src/login.ts', 'is a file, not a folder'],
    ['.claude/pipeline', 'login'],
    ['empty', 'has no Markdown file'],
  ])('of %s is refused', async (target, message) => {
    const { dir } = makeRepository();
    mkdirSync(join(dir, 'empty'));
    const { code, stdout, stderr } = await audit(dir, target, '--json');
    expect(code).toBe(3);
    expect(stderr).toContain(message);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'joinery/error@1', status: 'error' });
  });
});
