import { z } from 'zod';

export const ErrorEnvelope = z
  .object({
    schema: z.literal('joinery/error@1'),
    status: z.literal('error'),
    error: z.object({
      code: z.string().describe('Stable name of the kind of error.'),
      message: z.string().describe('What was wrong, and where.'),
      hint: z.string().describe('The next command to type, or what to change.'),
    }),
  })
  .describe('What every command prints on stdout with --json when it could not do its work.');
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;
