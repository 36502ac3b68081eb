import type { Comment, Forge, Occasion, Pull, PullState } from '#ci/forge.ts';
import type { ApiClient } from '#ci/http/api-client.ts';
import { readAs } from '#ci/http/read-as.ts';
import { GitlabMergeRequest, GitlabNote, GitlabProject, GitlabUser } from '#schema/gitlab-api.ts';

export interface GitlabPlace {
  readonly api: ApiClient;
  /** `https://gitlab.com`. */
  readonly server: string;
  /** `group/name`. */
  readonly path: string;
  readonly projectId: string;
  /** For git: `gitlab-ci-token:<token>`. */
  readonly login: string | null;
  readonly occasion: Occasion;
}

/** GitLab, hosted or self-managed. */
export function gitlabForge({ api, server, path, projectId, login, occasion }: GitlabPlace): Forge {
  const here = `/projects/${encodeURIComponent(projectId)}`;
  const home = `${server.replace(/(?<!\/)\/+$/, '')}/${path}`;
  const notesOf = (number: number) => `${here}/merge_requests/${number}/notes`;
  return {
    name: 'gitlab',
    noun: 'merge request',
    remote: { url: `${home}.git`, login },
    occasion,
    nameOf: (number) => `merge-requests/${number}`,
    markOf: (number) => `!${number}`,
    linkOf: (number) => `${home}/-/merge_requests/${number}`,
    headOf: (number) => `refs/merge-requests/${number}/head`,
    async defaultBranch() {
      return readAs(GitlabProject, await api.get(here), here).default_branch;
    },
    async openPulls(base, most) {
      const asked = `${here}/merge_requests?state=opened&target_branch=${encodeURIComponent(base)}&order_by=updated_at&sort=desc&per_page=100`;
      const { rows, isWhole } = await api.list(asked, most);
      return { pulls: rows.map(pullOf), isWhole };
    },
    async stateOf(number) {
      const asked = `${here}/merge_requests/${number}`;
      return stateOf(readAs(GitlabMergeRequest, await api.get(asked), asked));
    },
    async comments(number) {
      const { rows } = await api.list(`${notesOf(number)}?sort=asc&order_by=created_at&per_page=100`);
      return rows.flatMap(commentOf);
    },
    async self() {
      try {
        return readAs(GitlabUser, await api.get('/user'), '/user').username;
      } catch {
        // The token of a job belongs to no user.
        return null;
      }
    },
    async addComment(number, body) {
      await api.send('POST', notesOf(number), { body });
    },
    async changeComment(number, id, body) {
      await api.send('PUT', `${notesOf(number)}/${id}`, { body });
    },
    async removeComment(number, id) {
      await api.send('DELETE', `${notesOf(number)}/${id}`);
    },
    uploadSarif: null,
  };
}

function pullOf(row: unknown): Pull {
  const { iid, title, author, ...projects } = readAs(GitlabMergeRequest, row, 'merge_requests');
  return {
    number: iid,
    title,
    author: author?.username ?? 'ghost',
    isFork: projects.source_project_id !== projects.target_project_id,
  };
}

function stateOf({ state }: GitlabMergeRequest): PullState {
  return state === 'opened' || state === 'locked' ? 'open' : state;
}

/** GitLab's system notes are not comments. A bot is an ordinary user there. */
function commentOf(row: unknown): Comment[] {
  const { id, body, system, author } = readAs(GitlabNote, row, 'notes');
  return system ? [] : [{ id, body, author: author?.username ?? 'ghost', isBot: false }];
}
