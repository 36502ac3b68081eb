import { z } from 'zod';

/** Stored in the state folder of a repository; says where the repository is. */
export const RememberedRepository = z.object({
  schema: z.literal('joinery/repository@1'),
  commonDir: z.string(),
  path: z.string().describe('Where to work in it: the main working tree, else the folder of a bare one.'),
});
