import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CiReport } from '#schema/ci-report.ts';
import { serveForge } from '../support/forge/forge-server.ts';
import { githubApi } from '../support/forge/github-api.ts';
import { addPull, clashingPulls, githubHead, githubJob, inJob, pullEvent } from '../support/forge/story.ts';
import { fingerprint } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const marker = '<!-- joinery:check -->';

async function clash(told: Partial<Parameters<typeof serveForge>[1]> = {}) {
  const { repository, pulls } = clashingPulls(githubHead);
  const server = await serveForge(githubApi, { dir: repository.dir, pulls, ...told });
  return { repository, pulls, server };
}

describe('a pull request that clashes with another', () => {
  test('gets one comment, which names the other and its author and is edited in place', async () => {
    const { repository, server } = await clash();
    const env = githubJob(server, pullEvent(2));
    const before = fingerprint(repository.dir);

    const first = await inJob(env, 'github', '--mode', 'enforce');
    expect(first).toMatchObject({ code: 1, stderr: '' });
    expect(fingerprint(repository.dir)).toEqual(before);
    const [comment, ...others] = server.commentsOn(2);
    expect(others).toEqual([]);
    expect(comment?.body.startsWith(marker)).toBe(true);
    expect(comment?.body).toContain(`[#1](${server.url}/acme/shop/pull/1)`);
    expect(comment?.body).toContain('by **alice**');
    expect(comment?.body).toContain('this pull request should move');
    expect(comment?.body).not.toContain('@everyone');
    expect(comment?.body).toContain(
      'git fetch origin main +pull/1/head:pull/1 +pull/2/head:pull/2 && joinery check origin/main pull/1 pull/2',
    );
    expect(first.stdout).toMatch(/^::error file=app\/use\.py,line=1,.*S02/m);
    expect(first.stdout).toContain('#5 has no commits in the repository any more');
    expect(readFileSync(env.GITHUB_STEP_SUMMARY ?? '', 'utf8')).toContain('does not fit');

    addPull(repository, githubHead(2), { 'app/use.py': 'from app.api import get\n\nget(2)\nget(3)\n' });
    expect((await inJob(env, 'github')).stdout).toContain('joinery: comment updated');
    expect(await inJob(env, 'github')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('comment unchanged'),
    });

    addPull(repository, githubHead(2), { 'docs/c.md': 'c\n' });
    expect((await inJob(env, 'github', '--mode', 'enforce')).code).toBe(0);
    expect(server.commentsOn(2)).toHaveLength(1);
    expect(server.commentsOn(2)[0]?.body).toContain('fits main and 3 other open pull requests');
  });

  test('does not fail if the other one should move', async () => {
    const { server } = await clash();
    const outcome = await inJob(githubJob(server, pullEvent(1)), 'github', '--mode', 'enforce', '--json');
    const report = CiReport.strict().parse(JSON.parse(outcome.stdout));
    expect(outcome.code).toBe(0);
    expect(report).toMatchObject({ status: 'pass', subject: 'pull/1', comment: 'created' });
    expect(report.check.findings.map(({ rule, owner }) => ({ rule, owner }))).toEqual([
      { rule: 'S02', owner: 'pull/2' },
    ]);
    expect(server.commentsOn(1)[0]?.body).toContain(
      '“Use get” by **bob**: 1 blocking finding; #2 should move.',
    );
    expect(report.pulls.map(({ number, isFork, state }) => [number, isFork, state])).toEqual([
      [1, false, 'checked'],
      [2, false, 'checked'],
      [3, true, 'checked'],
      [4, true, 'checked'],
      [5, false, 'gone'],
    ]);
  });

  test('gets a comment without failing in audit mode, and none if there is nothing to report', async () => {
    const { server } = await clash();
    expect((await inJob(githubJob(server, pullEvent(2)), 'github')).code).toBe(0);
    expect(server.commentsOn(2)).toHaveLength(1);
    expect((await inJob(githubJob(server, pullEvent(3)), 'github')).code).toBe(0);
    expect(server.commentsOn(3)).toEqual([]);
  });

  test('is not blamed for one that was closed meanwhile, and gets no comment if it is closed itself', async () => {
    const { pulls, server } = await clash({
      afterList() {
        for (const pull of pulls) if (pull.number === 1) pull.state = 'closed';
      },
    });
    const outcome = await inJob(githubJob(server, pullEvent(2)), 'github', '--mode', 'enforce');
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('#1 was closed meanwhile') });
    expect(server.commentsOn(2)).toEqual([]);
    const own = await inJob(githubJob(server, pullEvent(1)), 'github');
    expect(own.stdout).toContain('#1 was closed meanwhile: no comment');
    expect(server.commentsOn(1)).toEqual([]);
  });
});

describe('the comment', () => {
  test('of a stranger who copied the marker is not touched; a duplicate of ours is deleted', async () => {
    const { server } = await clash();
    const stranger = { id: 1, body: `${marker}\nall is well`, author: 'mallory' };
    const ours = [10, 11].map((id) => ({
      id,
      body: `${marker}\nold`,
      author: 'github-actions[bot]',
      isBot: true,
    }));
    server.state.comments.set(2, [{ id: 2, body: 'hello', author: 'bob' }, stranger, ...ours]);
    await inJob(githubJob(server, pullEvent(2)), 'github');
    expect(server.commentsOn(2).map(({ id }) => id)).toEqual([2, 1, 10]);
    expect(stranger.body).toBe(`${marker}\nall is well`);
    expect(server.commentsOn(2)[2]?.body).toContain('by **alice**');
  });

  test('that a token may not write is reported, and the verdict stays', async () => {
    const { server } = await clash();
    server.state.refusals.push({ at: /^POST .*comments$/, status: 403, times: 9 });
    const outcome = await inJob(githubJob(server, pullEvent(2)), 'github', '--mode', 'enforce');
    expect(outcome).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('the comment could not be written'),
    });
  });

  test('is not written if it is switched off', async () => {
    const { server } = await clash();
    await inJob(githubJob(server, pullEvent(2)), 'github', '--no-comment');
    expect(server.heard.some(({ path }) => path.includes('comments'))).toBe(false);
  });
});

test('a merge queue checks one pull request against what is ahead of it', async () => {
  const { repository, server } = await clash();
  const ahead = repository.branch('ahead', { 'app/api.py': 'def fetch(id):\n    return id\n' });
  repository.branch('gh-readonly-queue/main/pr-2-0123456789', {}, 'ahead');
  const event = {
    merge_group: {
      head_ref: 'refs/heads/gh-readonly-queue/main/pr-2-0123456789',
      base_ref: 'refs/heads/main',
      base_sha: ahead,
    },
  };
  const outcome = await inJob(githubJob(server, event), 'github', '--mode', 'enforce', '--json');
  const report = CiReport.strict().parse(JSON.parse(outcome.stdout));
  expect(outcome.code).toBe(1);
  expect(report).toMatchObject({
    subject: 'pull/2',
    comment: 'none',
    check: { base: { ref: 'main', commit: ahead } },
  });
  expect(report.check.findings.map(({ rule, branches }) => ({ rule, branches }))).toEqual([
    { rule: 'S02', branches: ['main', 'pull/2'] },
  ]);
});

test('without a pull request all open ones are checked, or the given branches', async () => {
  const { repository, server } = await clash();
  const all = await inJob(githubJob(server, {}), 'github', '--mode', 'enforce', '--json');
  expect(all.code).toBe(1);
  expect(JSON.parse(all.stdout)).toMatchObject({ status: 'fail', subject: null, base: 'main' });
  repository.branch('feat/a', { 'a.md': 'a\n' });
  const given = await inJob(
    githubJob(server, pullEvent(2)),
    'github',
    '--mode',
    'enforce',
    '--json',
    '--',
    'feat/a',
    'feat/lost',
  );
  const report = CiReport.strict().parse(JSON.parse(given.stdout));
  expect(given.code).toBe(0);
  expect(report.check.branches.map(({ ref }) => ref)).toEqual(['feat/a']);
  expect(report.notes).toEqual(['feat/lost is not a branch of the repository any more: it was not checked']);
});

test('findings are uploaded to code scanning', async () => {
  const { server } = await clash();
  await inJob(githubJob(server, pullEvent(2)), 'github', '--upload-sarif');
  const upload = server.heard.find(({ path }) => path.endsWith('/code-scanning/sarifs'));
  const { commit_sha: commit, ref, sarif } = (upload?.body ?? {}) as Record<string, string>;
  expect({ commit, ref }).toEqual({ commit: 'c'.repeat(40), ref: 'refs/pull/2/merge' });
  const log = JSON.parse(gunzipSync(Buffer.from(sarif ?? '', 'base64')).toString());
  expect(log.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(['S02']);
});

describe('a forge that gives no answer', () => {
  test('is asked again, a limited number of times', async () => {
    const { server } = await clash();
    server.state.refusals.push({ at: /\/pulls$/, status: 503, headers: { 'Retry-After': '0' }, times: 2 });
    server.state.refusals.push({ at: /comments$/, status: 429, headers: { 'Retry-After': '0' }, times: 1 });
    const outcome = await inJob(githubJob(server, pullEvent(2)), 'github', '--mode', 'enforce');
    expect(outcome.code).toBe(1);
    expect(server.commentsOn(2)).toHaveLength(1);
  });

  test('makes the result inconclusive: 2 in enforce mode, a warning in audit mode', async () => {
    const { server } = await clash();
    const reset = String(Math.ceil(Date.now() / 1000) + 3600);
    const headers = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': reset };
    server.state.refusals.push({ at: /\/pulls$/, status: 403, headers, times: 99 });
    const env = githubJob(server, pullEvent(2));
    const enforced = await inJob(env, 'github', '--mode', 'enforce', '--json');
    expect(enforced.code).toBe(2);
    expect(JSON.parse(enforced.stdout)).toMatchObject({ status: 'error', error: { code: 'rate-limited' } });
    const audited = await inJob(env, 'github');
    expect(audited.code).toBe(0);
    expect(audited.stdout).toMatch(/^::warning title=joinery%3A inconclusive::.*rate limit/);
  });

  test('or refuses the token is bad input; the token itself is never printed', async () => {
    const { server } = await clash();
    const env = { ...githubJob(server, pullEvent(2)), GITHUB_TOKEN: 'another-secret-token-7' };
    const outcome = await inJob(env, 'github', '--verbose');
    expect(outcome).toMatchObject({ code: 3, stderr: expect.stringContaining('refused with 401') });
    const good = githubJob(server, pullEvent(2));
    const printed = [
      outcome,
      await inJob(good, 'github', '--json'),
      await joinery(['ci', 'github', '-v'], { env: good }),
    ];
    const text = printed.map(({ stdout, stderr }) => stdout + stderr).join('');
    const forms = [server.state.token, 'another-secret-token-7', `x-access-token:${server.state.token}`];
    for (const form of forms) {
      expect(text).not.toContain(form);
      expect(text).not.toContain(Buffer.from(form).toString('base64'));
    }
    expect(server.commentsOn(2)[0]?.body).not.toContain(server.state.token);
  });

  test('outside a CI job there is nothing to check', async () => {
    const outcome = await inJob({ GITHUB_API_URL: '' }, 'github');
    expect(outcome).toMatchObject({ code: 3, stderr: expect.stringContaining('GITHUB_API_URL is not set') });
  });
});

test('a base that is gone is an error', async () => {
  const { server } = await clash();
  const outcome = await inJob(githubJob(server, pullEvent(2, 'old')), 'github');
  expect(outcome).toMatchObject({ code: 3, stderr: expect.stringContaining('no branch named "old"') });
});

test('code of a pull request does not run, whatever the settings allow elsewhere', async () => {
  const { repository, server } = await clash();
  const owned = join(temporaryFolder(), 'owned');
  repository.commit({
    'joinery.json': '{"confirm":"types,build,tests"}\n',
    'package.json': JSON.stringify({ scripts: { test: `touch ${owned}`, build: `touch ${owned}` } }),
  });
  const uses = 'from app.api import get\n\nget(1)\n';
  addPull(repository, githubHead(2), { 'app/use.py': uses, 'conftest.py': `open('${owned}', 'w')\n` });
  const outcome = await inJob(githubJob(server, pullEvent(2)), 'github', '--mode', 'enforce');
  expect(outcome.code).toBe(1);
  expect(existsSync(owned)).toBe(false);
});
