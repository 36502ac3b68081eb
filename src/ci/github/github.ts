import { gzipSync } from 'node:zlib';
import type { Comment, Forge, Occasion, Pull, PullState } from '#ci/forge.ts';
import type { ApiClient } from '#ci/http/api-client.ts';
import { readAs } from '#ci/http/read-as.ts';
import { GithubComment, GithubPull, GithubRepository, GithubUser } from '#schema/github-api.ts';

export interface GithubPlace {
  readonly api: ApiClient;
  /** `https://github.com`. */
  readonly server: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly token: string | null;
  readonly occasion: Occasion;
  /** For a SARIF upload: the commit and the full ref of the job. */
  readonly commit: string | null;
  readonly ref: string | null;
}

/** GitHub and GitHub Enterprise. */
export function githubForge(place: GithubPlace): Forge {
  const { api, server, repository, token, occasion, commit, ref } = place;
  const here = `/repos/${repository}`;
  const home = `${server.replace(/(?<!\/)\/+$/, '')}/${repository}`;
  return {
    name: 'github',
    noun: 'pull request',
    remote: { url: home, login: token === null ? null : `x-access-token:${token}` },
    occasion,
    nameOf: (number) => `pull/${number}`,
    markOf: (number) => `#${number}`,
    linkOf: (number) => `${home}/pull/${number}`,
    headOf: (number) => `refs/pull/${number}/head`,
    async defaultBranch() {
      return readAs(GithubRepository, await api.get(here), here).default_branch;
    },
    async openPulls(base, most) {
      const path = `${here}/pulls?state=open&base=${encodeURIComponent(base)}&sort=updated&direction=desc&per_page=100`;
      const { rows, isWhole } = await api.list(path, most);
      return { pulls: rows.map((row) => pullOf(row, repository)), isWhole };
    },
    async stateOf(number) {
      const path = `${here}/pulls/${number}`;
      return stateOf(readAs(GithubPull, await api.get(path), path));
    },
    async comments(number) {
      const { rows } = await api.list(`${here}/issues/${number}/comments?per_page=100`);
      return rows.map(commentOf);
    },
    async self() {
      try {
        return readAs(GithubUser, await api.get('/user'), '/user').login;
      } catch {
        // The token of a job belongs to an app, which has no user.
        return null;
      }
    },
    async addComment(number, body) {
      await api.send('POST', `${here}/issues/${number}/comments`, { body });
    },
    async changeComment(_number, id, body) {
      await api.send('PATCH', `${here}/issues/comments/${id}`, { body });
    },
    async removeComment(_number, id) {
      await api.send('DELETE', `${here}/issues/comments/${id}`);
    },
    uploadSarif:
      commit === null || ref === null
        ? null
        : async (sarif) => {
            const zipped = gzipSync(sarif).toString('base64');
            await api.send('POST', `${here}/code-scanning/sarifs`, {
              commit_sha: commit,
              ref,
              sarif: zipped,
            });
          },
  };
}

function pullOf(row: unknown, repository: string): Pull {
  const { number, title, user, head } = readAs(GithubPull, row, 'pulls');
  return { number, title, author: user?.login ?? 'ghost', isFork: head.repo?.full_name !== repository };
}

function stateOf({ state, merged_at: mergedAt }: GithubPull): PullState {
  if (state === 'open') return 'open';
  return mergedAt === null || mergedAt === undefined ? 'closed' : 'merged';
}

function commentOf(row: unknown): Comment {
  const { id, body, user } = readAs(GithubComment, row, 'comments');
  return { id, body: body ?? '', author: user?.login ?? 'ghost', isBot: user?.type === 'Bot' };
}
