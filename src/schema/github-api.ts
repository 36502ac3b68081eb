import { z } from 'zod';

/** The parts of GitHub's API and events that are read; a user is null when the account is gone. */

const User = z.object({ login: z.string(), type: z.string().optional() }).nullable();

export const GithubPull = z.object({
  number: z.int().positive(),
  title: z.string(),
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullish(),
  user: User,
  head: z.object({
    repo: z.object({ full_name: z.string() }).nullable().describe('null: the fork was deleted.'),
  }),
});

export type GithubPull = z.infer<typeof GithubPull>;

export const GithubComment = z.object({ id: z.int(), body: z.string().nullish(), user: User });

export const GithubRepository = z.object({ default_branch: z.string() });

export const GithubUser = z.object({ login: z.string() });

export const GithubEvent = z.object({
  pull_request: z.object({ number: z.int().positive(), base: z.object({ ref: z.string() }) }).optional(),
  merge_group: z
    .object({ head_ref: z.string(), base_ref: z.string(), base_sha: z.string().regex(/^[0-9a-f]{40,64}$/) })
    .optional(),
});
export type GithubEvent = z.infer<typeof GithubEvent>;
