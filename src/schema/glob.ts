import { z } from 'zod';
import { compileGlobs } from '#lib/glob.ts';

/** A list of globs that can be matched; one that would take for ever is refused where it is written. */
export const Globs = z.array(z.string().min(1)).superRefine(refuseUnmatchable);

/** One glob. */
export const Glob = z.string().superRefine((text, context) => refuseUnmatchable([text], context));

function refuseUnmatchable(globs: readonly string[], context: z.RefinementCtx): void {
  try {
    compileGlobs(globs);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
}
