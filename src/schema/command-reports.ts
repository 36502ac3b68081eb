import { z } from 'zod';
import { categories, severities } from './vocabulary.ts';

/** The JSON of the small commands. */

export const InitReport = z.object({
  schema: z.literal('joinery/init@1'),
  file: z.string().describe('Path of the config file.'),
  written: z.boolean().describe('False with --dry-run.'),
  content: z.string(),
});
export type InitReport = z.infer<typeof InitReport>;

const Bytes = z.int().nonnegative();

export const CacheReport = z.object({
  schema: z.literal('joinery/cache@1'),
  action: z.enum(['path', 'size', 'clear']),
  path: z.string(),
  bytes: Bytes.optional().describe('Size now; after clear, what could not be deleted.'),
  freed: Bytes.optional().describe('What clear deleted.'),
  entries: z.array(z.object({ name: z.string(), bytes: Bytes })).optional(),
});
export type CacheReport = z.infer<typeof CacheReport>;

export const VersionReport = z.object({
  schema: z.literal('joinery/version@1'),
  version: z.string(),
  node: z.string(),
  platform: z.string().describe('Operating system and processor: linux-x64.'),
});
export type VersionReport = z.infer<typeof VersionReport>;

export const CompletionReport = z.object({
  schema: z.literal('joinery/completion@1'),
  shell: z.enum(['bash', 'zsh', 'fish']),
  script: z.string(),
});
export type CompletionReport = z.infer<typeof CompletionReport>;

export const RulesReport = z.object({
  schema: z.literal('joinery/rules@1'),
  rules: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      category: z.enum(categories),
      severity: z.enum(severities).describe('When proven; a likely finding of a blocking rule is important.'),
      single: z.boolean().describe('A problem of one branch alone, which never blocks.'),
      languages: z.array(z.string()),
      precision: z.number().nullable().describe('Share of findings that are expected to be real.'),
      measured: z
        .object({
          findings: z.int().nonnegative(),
          precision: z.number().nullable().describe('Null below 30 findings.'),
          alarms: z
            .object({ merges: z.int().nonnegative(), with: z.int().nonnegative() })
            .nullable()
            .describe('Real merges that people kept, and those in which the rule found something.'),
        })
        .describe('What docs/accuracy.md was made from.'),
      what: z.string(),
    }),
  ),
});
export type RulesReport = z.infer<typeof RulesReport>;

export const Diagnosis = z.object({
  name: z.string(),
  status: z.enum(['pass', 'warn', 'fail', 'skipped']).describe('warn: something optional is missing.'),
  found: z.string().describe('What is there.'),
  hint: z.string().describe('How to get what is missing; empty when nothing is.'),
});
export type Diagnosis = z.infer<typeof Diagnosis>;

const Setting = z.object({
  key: z.string(),
  value: z.unknown().describe('Null when it has none.'),
  origin: z.string().describe('flag, environment, project or default, with its name.'),
});

export const DoctorReport = z.object({
  schema: z.literal('joinery/doctor@1'),
  status: z.enum(['pass', 'fail']),
  checks: z.array(Diagnosis),
  settings: z.array(Setting).describe('Empty when the config cannot be used.'),
});
export type DoctorReport = z.infer<typeof DoctorReport>;
