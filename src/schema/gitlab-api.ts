import { z } from 'zod';

/** The parts of GitLab's API that are read. */

export const GitlabMergeRequest = z.object({
  iid: z.int().positive(),
  title: z.string(),
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  author: z.object({ username: z.string() }).nullish(),
  source_project_id: z.int().nullable().describe('null: the fork was deleted.'),
  target_project_id: z.int(),
});

export type GitlabMergeRequest = z.infer<typeof GitlabMergeRequest>;

export const GitlabNote = z.object({
  id: z.int(),
  body: z.string(),
  system: z.boolean(),
  author: z.object({ username: z.string() }).nullish(),
});

export const GitlabProject = z.object({ default_branch: z.string() });

export const GitlabUser = z.object({ username: z.string() });
