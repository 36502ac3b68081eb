import { z } from 'zod';

/** How a fresh worktree gets files that git does not store: config section `worktree`. */
export const Provisioning = z.object({
  folders: z
    .array(z.string().regex(/^(?!\/)(?!.*\.\.)[^\0]+$/, 'must be a folder inside the repository'))
    .default(['node_modules'])
    .describe('Dependency folders to provide from the main checkout.'),
  mode: z
    .enum(['auto', 'reflink', 'hardlink', 'copy', 'symlink', 'none'])
    .default('auto')
    .describe(
      'auto: copy on write, else copies. With hardlink and symlink, what a task writes there is written in the main checkout.',
    ),
  install: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Program and arguments that install dependencies instead, run in the worktree.'),
});
export type Provisioning = z.infer<typeof Provisioning>;
