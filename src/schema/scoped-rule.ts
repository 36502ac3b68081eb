import { z } from 'zod';
import { Globs } from './glob.ts';

/** A rule of the project that only some steps receive. */
export const ScopedRule = z.strictObject({
  id: z.string().min(1),
  appliesTo: z
    .strictObject({
      roles: z.array(z.string().min(1)).optional(),
      tasks: z.array(z.string().min(1)).optional(),
      paths: Globs.optional().describe('Globs; a task that declares a file like these.'),
    })
    .describe('Every list that is there has to match.'),
  text: z.string().min(1),
});
export type ScopedRule = z.infer<typeof ScopedRule>;
