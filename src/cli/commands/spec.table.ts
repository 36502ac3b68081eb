import type { CommandTable } from '#cli/args/table.ts';

export const specTable = {
  name: 'spec',
  summary: 'write specs from templates and audit them',
  description:
    'A spec is the Markdown file a plan is made from. "new" writes one to fill in: a feature in one file (specs/<name>.md), or a product spec (prd), a technical one (rfc), a design or a defect report in a folder of its own. "audit" looks at four levels without a model: structural (sections, links, nothing left to fill in), completeness (sections that say enough, criteria that can be verified), cross-spec (what the product spec asks for occurs in the others) and sizing (how many tasks this will be). A structural error fails; everything else warns.',
  positionals: [
    { name: 'action', values: ['new', 'audit'], description: 'What to do.' },
    {
      name: 'what',
      description: 'Behind new: the kind (feature, prd, rfc, design, defect). Behind audit: the file.',
    },
    { name: 'name', optional: true, description: 'Behind new: small letters, digits and hyphens.' },
  ],
  options: [],
  examples: [
    { command: 'joinery spec new feature checkout', meaning: 'Start a spec.' },
    { command: 'joinery spec audit specs/checkout.md', meaning: 'Is it good enough to be planned?' },
  ],
  exitCodes: {
    ok: 'Written; or the audit passes, perhaps with warnings.',
    findings: 'The spec has a structural error.',
    usage: 'Bad name or kind, the file exists, or there is none to audit.',
  },
} as const satisfies CommandTable;
