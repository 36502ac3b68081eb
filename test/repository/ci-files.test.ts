import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { root } from '#scripts/root.ts';
import { serveForge } from '../support/forge/forge-server.ts';
import { githubApi } from '../support/forge/github-api.ts';
import { gitlabApi } from '../support/forge/gitlab-api.ts';
import {
  clashingPulls,
  githubHead,
  githubJob,
  gitlabHead,
  gitlabJob,
  pullEvent,
} from '../support/forge/story.ts';
import { temporaryFolder } from '../support/joinery.ts';

interface Step {
  readonly shell?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const actionText = readFileSync(join(root, 'action.yml'), 'utf8');
const action: Action = parse(actionText);
const { inputs } = action;
const { steps } = action.runs;

describe('action.yml', () => {
  test('uses inputs that exist, and all of them', () => {
    const used = [...actionText.matchAll(/\$\{\{\s*inputs\.([\w-]+)\s*\}\}/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(inputs).sort());
    expect(Object.values(inputs).every(({ description }) => description.length > 0)).toBe(true);
    expect(action.runs.using).toBe('composite');
  });

  test('passes values to shells only through the environment, and runs nothing but Joinery', () => {
    expect(steps.length).toBeGreaterThan(0);
    for (const { run = '', shell, uses } of steps) {
      expect(run).not.toContain('${{');
      expect(shell).toBe('bash');
      // No checkout: the code of a pull request is never on the disk.
      expect(uses).toBeUndefined();
      expect(run.startsWith('cd "$GITHUB_ACTION_PATH"\n')).toBe(true);
    }
    const values = steps.flatMap(({ env = {} }) => Object.values(env));
    expect(values.filter((value) => !/^\$\{\{ inputs\.\w+ \}\}$/.test(value))).toEqual([]);
    expect(actionText).not.toContain('github.event');
  });

  test('does what its inputs say, run as a runner would', async () => {
    const { repository, pulls } = clashingPulls(githubHead);
    const server = await serveForge(githubApi, { dir: repository.dir, pulls });
    const job = { ...githubJob(server, pullEvent(2)), GITHUB_ACTION_PATH: root };
    expect(await runSteps(job, { mode: 'enforce', sarif: 'true' })).toMatchObject({ code: 1 });
    expect(server.commentsOn(2)).toHaveLength(1);
    expect(server.heard.some(({ path }) => path.endsWith('/sarifs'))).toBe(true);
    const hostile = { base: 'x"; touch owned; #', branches: '$(touch owned) `touch owned`' };
    const refused = await runSteps(job, { ...hostile, comment: 'false' });
    expect(refused).toMatchObject({ code: 3, output: expect.stringContaining('is not a valid branch name') });
    expect(existsSync(join(root, 'owned'))).toBe(false);
  });
});

/** Runs the steps in order, with `${{ … }}` replaced in the environment as GitHub does it. */
async function runSteps(job: Readonly<Record<string, string>>, given: Readonly<Record<string, string>>) {
  const inputValue = (expression: string) => {
    const [, name = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? [];
    return name === 'token' ? (job.GITHUB_TOKEN ?? '') : (given[name] ?? inputs[name]?.default ?? '');
  };
  let output = '';
  for (const { run = '', env = {} } of steps) {
    const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, inputValue(value)]));
    const outcome = await runShell(run, { ...job, GITHUB_TOKEN: '', ...own }, temporaryFolder());
    output += outcome.output;
    if (outcome.code !== 0) return { code: outcome.code, output };
  }
  return { code: 0, output };
}

/** Starts bash as GitHub does for a step. */
function runShell(script: string, env: Readonly<Record<string, string>>, cwd: string) {
  const node = dirname(process.execPath);
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env, PATH: `${node}:${process.env.PATH}` },
  });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
}

describe('templates/check.yml', () => {
  const text = readFileSync(join(root, 'templates', 'check.yml'), 'utf8');
  const [head, body] = parseAllDocuments(text).map((document) => document.toJS());
  const job = body['joinery-check'];
  const declared: Readonly<Record<string, { default: string }>> = head.spec.inputs;

  test('uses inputs that exist, never inside a script, and fetches nothing by itself', () => {
    const used = [...text.matchAll(/\$\[\[ inputs\.(\w+) \]\]/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(declared).sort());
    expect(job.script.join('\n')).not.toContain('$[[');
    expect(job.variables.GIT_STRATEGY).toBe('none');
    expect(job.artifacts.reports.codequality).toBe('gl-code-quality-report.json');
  });

  test('does what it says, run as a runner would', async () => {
    const { repository, pulls } = clashingPulls(gitlabHead);
    const server = await serveForge(gitlabApi, { dir: repository.dir, pulls });
    const env = gitlabJob(server, 2);
    const given = { mode: 'enforce', command: `node ${join(root, 'bin', 'joinery.js')}` };
    const variables = Object.entries(job.variables as Record<string, string>).map(([name, value]) => {
      const [, input] = /^\$\[\[ inputs\.(\w+) \]\]$/.exec(value) ?? [];
      return [name, input === undefined ? value : (Object(given)[input] ?? declared[input]?.default ?? '')];
    });
    const outcome = await runShell(
      job.script.join('\n'),
      { ...env, ...Object.fromEntries(variables) },
      temporaryFolder(),
    );
    expect(outcome.code).toBe(1);
    expect(server.commentsOn(2)[0]?.body).toContain('by **alice**');
    const report = join(env.CI_PROJECT_DIR ?? '', 'gl-code-quality-report.json');
    expect(JSON.parse(readFileSync(report, 'utf8'))).toHaveLength(1);
  });
});
