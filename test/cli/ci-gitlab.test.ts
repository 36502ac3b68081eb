import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveForge } from '../support/forge/forge-server.ts';
import { gitlabApi } from '../support/forge/gitlab-api.ts';
import { addPull, clashingPulls, gitlabHead, gitlabJob, inJob } from '../support/forge/story.ts';

async function clash() {
  const { repository, pulls } = clashingPulls(gitlabHead);
  return { repository, server: await serveForge(gitlabApi, { dir: repository.dir, pulls }) };
}

test('a merge request that clashes gets one note, edited in place, and a Code Quality report', async () => {
  const { repository, server } = await clash();
  const stranger = { id: 7, body: '<!-- joinery:check -->\nall is well', author: 'mallory' };
  server.state.comments.set(2, [stranger]);
  const env = gitlabJob(server, 2);
  const file = join(env.CI_PROJECT_DIR ?? '', 'quality.json');
  const args = ['gitlab', '--mode', 'enforce', '--code-quality', file];

  const first = await inJob(env, ...args);
  expect(first).toMatchObject({ code: 1, stderr: '' });
  expect(first.stdout).toContain('!5 has no commits in the repository any more');
  const [, note] = server.commentsOn(2);
  expect(note?.body).toContain(`[!1](${server.url}/acme/shop/-/merge_requests/1)`);
  expect(note?.body).toContain('by **alice**: 1 blocking finding; this merge request should move');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([
    {
      description: expect.stringContaining('get is now fetch on merge-requests/1'),
      check_name: 'S02 use-of-renamed-symbol',
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      severity: 'blocker',
      location: { path: 'app/use.py', lines: { begin: 1, end: 1 } },
    },
  ]);

  addPull(repository, gitlabHead(2), { 'docs/c.md': 'c\n' });
  expect((await inJob(env, ...args)).code).toBe(0);
  expect(server.commentsOn(2)).toHaveLength(2);
  expect(server.commentsOn(2)[0]).toEqual(stranger);
  expect(server.commentsOn(2)[1]?.body).toContain('fits main and 3 other open merge requests');
  expect(readFileSync(file, 'utf8').trim()).toBe('[]');
});

test('audit exits with 0, the token is never printed, and without it the API is called with the job token', async () => {
  const { server } = await clash();
  const env = { ...gitlabJob(server, 2), JOINERY_GITLAB_TOKEN: '' };
  const outcome = await inJob(env, 'gitlab', '--verbose');
  expect(outcome.code).toBe(0);
  expect(outcome.stdout + outcome.stderr).not.toContain(server.state.token);
  server.state.refusals.push({
    at: /merge_requests$/,
    status: 502,
    headers: { 'Retry-After': '0' },
    times: 99,
  });
  const broken = await inJob(env, 'gitlab', '--mode', 'enforce');
  expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('got 502 after 4 tries') });
});

test('a schedule checks all open merge requests', async () => {
  const { server } = await clash();
  const outcome = await inJob(gitlabJob(server, null), 'gitlab', '--mode', 'enforce', '--json');
  expect(outcome.code).toBe(1);
  expect(JSON.parse(outcome.stdout)).toMatchObject({ forge: 'gitlab', subject: null, status: 'fail' });
});

test('a job in a fork checks the target project of the merge request', async () => {
  const { server } = await clash();
  const env = {
    ...gitlabJob(server, 2),
    CI_PROJECT_ID: '77',
    CI_PROJECT_PATH: 'bob/shop',
    CI_MERGE_REQUEST_PROJECT_ID: '42',
    CI_MERGE_REQUEST_PROJECT_PATH: 'acme/shop',
  };
  expect(await inJob(env, 'gitlab', '--mode', 'enforce')).toMatchObject({ code: 1, stderr: '' });
  expect(server.commentsOn(2)[0]?.body).toContain(`[!1](${server.url}/acme/shop/-/merge_requests/1)`);
});
