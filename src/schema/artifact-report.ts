import { z } from 'zod';

/** Something an attempt received or produced: immutable, named by the hash of its bytes. */
export const ArtifactEntry = z.object({
  name: z.string().describe('handoff/<task>, notes/<task> or prompt/<task>, with @<attempt>.'),
  task: z.string(),
  attempt: z.int().positive(),
  kind: z.enum(['prompt', 'handoff', 'notes']),
  sha256: z.string(),
  bytes: z.int().nonnegative(),
  sections: z.array(z.string()).describe('What of it can be cited and shown alone.'),
});
export type ArtifactEntry = z.infer<typeof ArtifactEntry>;

export const ArtifactReport = z.object({
  schema: z.literal('joinery/artifact@1'),
  run: z.string(),
  artifacts: z.array(ArtifactEntry),
  text: z.string().optional().describe('Of the one that was asked for.'),
});
export type ArtifactReport = z.infer<typeof ArtifactReport>;
