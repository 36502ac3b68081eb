import { readFileSync } from 'node:fs';
import type { Forge, Occasion } from '#ci/forge.ts';
import { githubForge } from '#ci/github/github.ts';
import { occasionOf } from '#ci/github/occasion.ts';
import { gitlabForge } from '#ci/gitlab/gitlab.ts';
import { ApiClient } from '#ci/http/api-client.ts';
import type { Secret } from '#lib/redact.ts';
import { ConfigError } from '#schema/errors.ts';
import { GithubEvent } from '#schema/github-api.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface OpenForge {
  readonly forge: Forge;
  /** Values that must not be printed. */
  readonly secrets: readonly Secret[];
}

/** The forge that the variables of a CI job describe. */
export function openForge(name: 'github' | 'gitlab', env: Environment): OpenForge {
  return name === 'github' ? openGithub(env) : openGitlab(env);
}

function openGithub(env: Environment): OpenForge {
  const token = env.GITHUB_TOKEN || null;
  const api = new ApiClient({
    url: addressIn(env, 'GITHUB_API_URL', 'GitHub Actions'),
    headers: {
      Accept: 'application/vnd.github+json',
      'X-GitHub-Api-Version': '2022-11-28',
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
  });
  const forge = githubForge({
    api,
    server: addressIn(env, 'GITHUB_SERVER_URL', 'GitHub Actions'),
    repository: pathIn(env, 'GITHUB_REPOSITORY', 'GitHub Actions'),
    token,
    occasion: githubOccasion(env.GITHUB_EVENT_PATH),
    commit: env.GITHUB_SHA || null,
    ref: env.GITHUB_REF || null,
  });
  return { forge, secrets: secretsOf([token, 'GITHUB_TOKEN'], [forge.remote.login, 'GITHUB_TOKEN']) };
}

function githubOccasion(file: string | undefined): Occasion {
  if (file === undefined || file === '') return { kind: 'all', base: null };
  let event: unknown;
  try {
    event = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw unreadable(file, cause);
  }
  const parsed = GithubEvent.safeParse(event);
  if (!parsed.success) throw unreadable(file, parsed.error);
  return occasionOf(parsed.data);
}

function unreadable(file: string, cause: unknown): ConfigError {
  return new ConfigError({
    code: 'unreadable-event',
    message: `GITHUB_EVENT_PATH: ${file} cannot be read as an event of GitHub`,
    hint: 'run it in a job of GitHub Actions',
    cause,
  });
}

function openGitlab(env: Environment): OpenForge {
  const token = env.JOINERY_GITLAB_TOKEN || null;
  const job = env.CI_JOB_TOKEN || null;
  const api = new ApiClient({
    url: addressIn(env, 'CI_API_V4_URL', 'GitLab CI'),
    headers: token !== null ? { 'PRIVATE-TOKEN': token } : job !== null ? { 'JOB-TOKEN': job } : {},
  });
  const login = job !== null ? `gitlab-ci-token:${job}` : token !== null ? `oauth2:${token}` : null;
  // The pipeline of a merge request from a fork runs in the fork.
  const project = env.CI_MERGE_REQUEST_PROJECT_ID ? 'CI_MERGE_REQUEST_PROJECT' : 'CI_PROJECT';
  const forge = gitlabForge({
    api,
    server: addressIn(env, 'CI_SERVER_URL', 'GitLab CI'),
    path: pathIn(env, `${project}_PATH`, 'GitLab CI'),
    projectId: pathIn(env, `${project}_ID`, 'GitLab CI'),
    login,
    occasion: gitlabOccasion(env),
  });
  return {
    forge,
    secrets: secretsOf([token, 'JOINERY_GITLAB_TOKEN'], [job, 'CI_JOB_TOKEN'], [login, 'CI_JOB_TOKEN']),
  };
}

function gitlabOccasion(env: Environment): Occasion {
  const number = Number(env.CI_MERGE_REQUEST_IID ?? '');
  const base = env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME || null;
  if (Number.isInteger(number) && number > 0 && base !== null) return { kind: 'pull', number, base };
  return { kind: 'all', base: null };
}

/** A token in plain form, and in the form git sends it. */
function secretsOf(...named: readonly (readonly [string | null, string])[]): Secret[] {
  return named.flatMap(([value, name]): Secret[] =>
    value === null
      ? []
      : [
          [value, name],
          [Buffer.from(value).toString('base64'), name],
        ],
  );
}

function addressIn(env: Environment, name: string, where: string): string {
  const value = env[name] ?? '';
  const url = URL.parse(value);
  if (url && /^https?:$/.test(url.protocol) && url.username === '') return value;
  throw missing(name, value, 'an address that starts with https://', where);
}

function pathIn(env: Environment, name: string, where: string): string {
  const value = env[name] ?? '';
  if (/^[\w.-]+(?:\/[\w.-]+)*$/.test(value) && !/(?:^|\/)\.\.?(?:\/|$)/.test(value)) return value;
  throw missing(name, value, 'set', where);
}

function missing(name: string, value: string, what: string, where: string): ConfigError {
  return new ConfigError({
    code: 'not-in-ci',
    message: value === '' ? `${name} is not set` : `${name} is not ${what}`,
    hint: `run it in a job of ${where}; on your machine: joinery check`,
  });
}
