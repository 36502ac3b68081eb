/** Options that several commands have in common. */
import { blockPolicies } from '#schema/verdict.ts';

export const blockOption = {
  name: 'block',
  type: 'string',
  placeholder: 'from',
  values: blockPolicies,
  config: 'block',
  description:
    'What stops work. proven: what would break and was judged true. likely: also ask about what would break and nobody has judged. important: important findings fail too.',
} as const;

export const strictOption = {
  name: 'strict',
  type: 'boolean',
  config: 'block',
  means: 'important',
  description: 'Short for --block important.',
} as const;

export const acceptOption = {
  name: 'accept',
  type: 'string',
  placeholder: "id='reason'",
  isRepeatable: true,
} as const;

export const unprovenOption = {
  name: 'unproven',
  type: 'boolean',
  description:
    'Land although nothing was found that could be run on the result, or its tests decide nothing. Your decision: it is kept in the receipt.',
} as const;

export const scriptedAnswers = {
  name: 'scenario',
  type: 'string',
  placeholder: 'file',
  description: 'What the scripted agent says, as JSON.',
} as const;

export const scriptedWork = {
  name: 'scenario',
  type: 'string',
  placeholder: 'file',
  description: 'What the scripted agent does, as JSON.',
} as const;

export const rolesBase = {
  name: 'base',
  type: 'string',
  placeholder: 'rev',
  description: 'Commit whose roles count. Default: the checked-out one.',
} as const;

export const yesOption = { name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask.' } as const;
