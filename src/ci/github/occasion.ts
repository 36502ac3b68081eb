import type { Occasion } from '#ci/forge.ts';
import type { GithubEvent } from '#schema/github-api.ts';

/** The occasion of a GitHub event. A merge queue's branch contains the pull request: gh-readonly-queue/main/pr-12-<id>. */
export function occasionOf(event: GithubEvent): Occasion {
  const { pull_request: pull, merge_group: group } = event;
  if (pull) return { kind: 'pull', number: pull.number, base: pull.base.ref };
  if (!group) return { kind: 'all', base: null };
  const base = group.base_ref.replace(/^refs\/heads\//, '');
  const headRef = group.head_ref.startsWith('refs/') ? group.head_ref : `refs/heads/${group.head_ref}`;
  const [, number] = /\/pr-(\d{1,9})-[0-9a-f]{7,64}$/.exec(headRef) ?? [];
  if (number === undefined) return { kind: 'all', base };
  return { kind: 'queue', number: Number(number), base, baseCommit: group.base_sha, headRef };
}
