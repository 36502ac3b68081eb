/** Options that several commands have in common. */

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
