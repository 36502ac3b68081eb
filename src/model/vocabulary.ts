import { z } from 'zod';

export const severities = ['blocking', 'important', 'minor', 'info'] as const;
export const Severity = z.enum(severities);
export type Severity = z.infer<typeof Severity>;

export const Confidence = z.enum(['proven', 'likely', 'possible']);
export type Confidence = z.infer<typeof Confidence>;

export const Category = z.enum([
  'text',
  'interface',
  'schema',
  'naming',
  'duplicate',
  'connection',
  'contract',
  'dependency',
  'behaviour',
  'risk',
]);
export type Category = z.infer<typeof Category>;

/** How a reference was resolved: by name alone, through imports, through a typed receiver, by a type checker. */
export const Tier = z.enum(['R0', 'R1', 'R2', 'R3']);
export type Tier = z.infer<typeof Tier>;

/** Only what is proven may block: a likely finding of a blocking rule is important. */
export function severityFor(ruleSeverity: Severity, confidence: Confidence): Severity {
  return ruleSeverity === 'blocking' && confidence !== 'proven' ? 'important' : ruleSeverity;
}
