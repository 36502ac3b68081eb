import { z } from 'zod';
import { compileGlobs } from '#lib/glob.ts';

/** A list of globs; one that would take forever to match is refused when the file is read. */
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
