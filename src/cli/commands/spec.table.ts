import type { CommandTable } from '#cli/args/table.ts';

export const specTable = {
  name: 'spec',
  summary: 'write specs from templates and audit them',
  description:
    'A spec is the Markdown file a plan is made from. "new" writes one to fill in: a feature in one file (specs/<name>.md), or a product spec (prd), a technical one (rfc), a design or a defect report in a folder of its own. "audit" checks four levels without a model: structural (sections, links, no placeholders), completeness (sections with content, criteria that can be verified), cross-spec (the other specs cover the product spec) and sizing (how many tasks to expect). A structural error fails; everything else warns.',
  positionals: [
    { name: 'action', values: ['new', 'audit'], description: 'What to do.' },
    {
      name: 'what',
      description: 'With new: the kind (feature, prd, rfc, design, defect). With audit: the file.',
    },
    { name: 'name', optional: true, description: 'With new: small letters, digits and hyphens.' },
  ],
  options: [],
  examples: [
    { command: 'joinery spec new feature checkout', meaning: 'Start a spec.' },
    { command: 'joinery spec audit specs/checkout.md', meaning: 'Is it ready to be planned?' },
  ],
  exitCodes: {
    ok: 'Written; or the audit passes, perhaps with warnings.',
    findings: 'The spec has a structural error.',
    usage: 'Bad name or kind, the file exists, or there is none to audit.',
  },
} as const satisfies CommandTable;
