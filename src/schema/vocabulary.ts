/** Only the words: code that validates values builds a schema from them. */

export const severities = ['blocking', 'important', 'minor', 'info'] as const;
export type Severity = (typeof severities)[number];

export const confidences = ['proven', 'likely', 'possible'] as const;
export type Confidence = (typeof confidences)[number];

export const categories = [
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
] as const;
export type Category = (typeof categories)[number];

/** How a reference was resolved: by name alone, through imports, through a typed receiver, by a type checker. */
export const tiers = ['R0', 'R1', 'R2', 'R3'] as const;
export type Tier = (typeof tiers)[number];
