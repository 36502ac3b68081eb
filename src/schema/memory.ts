import { z } from 'zod';

const memoryKinds = ['finding', 'preference', 'learning'] as const;

/** A hint for a review, never a decision. */
export const Memory = z.object({
  id: z.string().regex(/^[0-9a-f]{12}$/),
  kind: z
    .enum(memoryKinds)
    .describe('finding: was accepted. preference: was rejected. learning: a person wrote it.'),
  text: z.string().min(1),
  file: z.string().nullable().describe('The file it cites.'),
  blob: z
    .string()
    .nullable()
    .describe('Content of that file when it was stored: once it changes, the memory has expired.'),
  at: z.string(),
});
export type Memory = z.infer<typeof Memory>;

export const MemoryReport = z.object({
  schema: z.literal('joinery/memory@1'),
  action: z.enum(['search', 'add', 'forget']),
  memories: z
    .array(Memory.extend({ isExpired: z.boolean() }))
    .describe('Found, added or forgotten; five at most when searched.'),
});
export type MemoryReport = z.infer<typeof MemoryReport>;
