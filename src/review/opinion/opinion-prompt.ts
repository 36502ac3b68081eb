import { fenced } from '#agents/prompt/fenced.ts';
import { fitSections, type Prompt, type Section } from '#agents/prompt/fit-sections.ts';
import type { CheckReport, SeamRisk } from '#schema/check-report.ts';
import type { Contract } from '#schema/contract.ts';
import type { PromptRecord } from '#schema/opinion.ts';
import { cutDiff } from './cut-diff.ts';

export interface OpinionSubject {
  readonly base: string;
  /** In the order of the check, each with its diff since the merge base. */
  readonly branches: readonly { readonly ref: string; readonly diff: string }[];
  readonly risk: SeamRisk | null;
  readonly findings: CheckReport['findings'];
  readonly spec: { readonly path: string; readonly text: string } | null;
  readonly contract: Contract | null;
}

export interface OpinionPrompt {
  readonly prompt: Prompt;
  readonly record: PromptRecord;
}

/**
 * Risk analysis, diffs, spec, contract, instructions. Diffs get half of the bytes, divided equally among the branches.
 * Instructions and contract are never cut; risk analysis and spec share the rest.
 */
export function opinionPrompt(subject: OpinionSubject, role: string, maxBytes: number): OpinionPrompt {
  const share = Math.floor(maxBytes / 2 / Math.max(1, subject.branches.length));
  const leaning = filesAtSeams(subject.risk);
  const diffs = subject.branches.map(({ ref, diff }, index) => {
    const title = `# Branch ${index + 1}: ${ref}\n\n`;
    const isFirst = (head: string) => leaning.some((file) => head.includes(` ${file}\n`));
    // The share includes title, fence and line ends.
    const wrapping = Buffer.byteLength(title) + Buffer.byteLength(fenced(diff)) - Buffer.byteLength(diff) + 2;
    const cut = cutDiff(diff, Math.max(0, share - wrapping), isFirst);
    const text = cut.text === '' ? '[This branch changes nothing that can be shown]' : cut.text.trimEnd();
    return { ref, omitted: cut.omitted, section: fixed(`diff/${ref}`, `${title}${fenced(text)}\n`) };
  });
  const sections = [
    fixed('joinery#role', role),
    part('risk#seams', riskSection(subject)),
    part('risk#findings', findingsSection(subject.findings)),
    ...diffs.map(({ section }) => section),
    ...specSections(subject.spec),
    fixed('contract#text', contractSection(subject.contract)),
    fixed('joinery#answer', answerFormat),
  ];
  const first = fitSections(sections, maxBytes);
  const prompt =
    first.dropped.length === 0
      ? first
      : fitSections([...sections.slice(0, -1), leftOut(first.dropped), ...sections.slice(-1)], maxBytes);
  return {
    prompt,
    record: {
      sha256: prompt.sha256,
      bytes: Buffer.byteLength(prompt.text),
      dropped: [...prompt.dropped],
      cut: diffs.flatMap(({ ref, omitted }) => (omitted === 0 ? [] : [{ branch: ref, hunks: omitted }])),
    },
  };
}

/** Files with symbols that one branch changes and another one touches. */
function filesAtSeams(risk: SeamRisk | null): string[] {
  if (!risk) return [];
  const symbols = [
    ...risk.boundaries.flatMap((each) => each.symbols),
    ...risk.overlaps.flatMap((each) => each.sharedSymbols),
    ...risk.highImpact.map((each) => each.symbol),
  ];
  return [...new Set(symbols.map((symbol) => symbol.slice(0, symbol.lastIndexOf('#'))))];
}

const mostRows = 40;

/** Names of files and symbols come from the branches, so they are fenced as well. */
function riskSection({ base, branches, risk }: OpinionSubject): string {
  const title = `# Risk analysis\n\n${branches.length} branches on ${base}, compared by code.\n\n`;
  if (!risk) return `${title}There is none.\n`;
  const rows = [
    ...some(
      risk.overlaps,
      ({ risk: level, branches: pair, cluster, sharedSymbols, coordinationEdges }) =>
        `overlap (${level}): ${pair.join(', ')} in ${cluster}, ${coordinationEdges} uses between them: ${sharedSymbols.join(', ') || 'no shared symbol'}`,
    ),
    ...some(
      risk.boundaries,
      ({ defines, consumes, symbols }) =>
        `boundary: ${defines} changes what ${consumes} uses: ${symbols.join(', ')}`,
    ),
    ...some(
      risk.highImpact,
      ({ symbol, changedBy, blastRadius, isBridge }) =>
        `high impact: ${symbol}, changed by ${changedBy.join(', ')}, ${blastRadius} dependents${isBridge ? ', a bridge' : ''}`,
    ),
    ...(risk.order.length > 1 ? [`order of least rework: ${risk.order.join(', ')}`] : []),
  ];
  return `${title}${fenced(rows.length === 0 ? 'The branches do not lean on each other.' : rows.join('\n'))}\n`;
}

function findingsSection(findings: CheckReport['findings']): string {
  if (findings.length === 0) return '# What code found\n\nNothing.\n';
  const rows = some(
    findings,
    ({ rule, severity, message, branches }) => `${rule} ${severity} ${branches.join(', ')}: ${message}`,
  );
  return `# What code found\n\nDo not repeat these.\n\n${fenced(rows.join('\n'))}\n`;
}

function some<T>(items: readonly T[], row: (item: T) => string): string[] {
  const rows = items.slice(0, mostRows).map((item) => row(item).replaceAll('\n', ' '));
  return items.length > mostRows ? [...rows, `and ${items.length - mostRows} more`] : rows;
}

/** A spec that is too long loses whole chapters, not its end. */
function specSections(spec: OpinionSubject['spec']): Section[] {
  if (!spec) return [];
  const chapters = spec.text.split(/(?<![^\n])(?=#{1,2} )/).filter((chapter) => chapter.trim() !== '');
  return chapters.map((chapter, index) => {
    const title = index === 0 ? `# The spec: ${spec.path}` : '# The spec, continued';
    return part(`spec/${spec.path}#${index + 1}`, `${title}\n\n${fenced(chapter.trim())}\n`);
  });
}

function contractSection(contract: Contract | null): string {
  return contract === null
    ? ''
    : `# The contract\n\nWhat the branches together have to be:\n\n${fenced(JSON.stringify(contract, null, 1))}\n`;
}

function leftOut(ids: readonly string[]): Section {
  return fixed(
    'joinery#left-out',
    `# Left out for lack of space\n\n${ids.map((id) => `- ${id}`).join('\n')}\n`,
  );
}

const example = {
  status: 'fail',
  summary: 'One branch stores cents, the other shows euros.',
  interface_mismatches: [
    {
      task_a: 'feat/price',
      task_b: 'feat/invoice',
      location_a: 'src/price.ts:12#Price.amount',
      location_b: 'src/invoice.ts:8#total',
      description: 'Price.amount is in cents since feat/price; total adds it up as euros.',
      severity: 'critical',
    },
  ],
  schema_inconsistencies: [],
  naming_inconsistencies: [],
  behaviour_conflicts: [
    {
      description: 'feat/price returns prices unsorted; feat/invoice takes the first as the lowest.',
      branches: ['feat/price', 'feat/invoice'],
      locations: [{ branch: 'feat/invoice', file: 'src/invoice.ts', line: 20, symbol: 'lowest' }],
      severity: 'major',
    },
  ],
  duplicates: [],
  missing_connections: [],
  contract_gaps: [{ contract_item: 'Price', status: 'partial', notes: 'No currency.' }],
  critical_issues: ['Cents are added up as euros.'],
  recommendations: ['Let feat/invoice divide by 100.'],
};

const answerFormat = [
  '# Your answer',
  '',
  'Answer with one JSON object and nothing else. Leave a list empty when there is nothing to say:',
  '',
  '```json',
  JSON.stringify(example, null, 1),
  '```',
  '',
  '- Branches go by their names, as in the headings above. A location is `file:line`, `file:line#symbol`, or an object as shown;',
  '  its line is the one after the change of that branch.',
  '- `schema_inconsistencies`, `naming_inconsistencies` and `behaviour_conflicts`: description, branches, locations, severity.',
  '- `duplicates`: description, branches, locations. `missing_connections`: description, `expected_in` (a file), severity.',
  '- `contract_gaps`: `contract_item` names the item of the contract; `status` is `satisfied`, `missing` or `partial`.',
  '- `severity`: `critical`, `major` or `minor`. `status` is `fail` when something is critical; code decides without it.',
  '',
].join('\n');

function fixed(id: string, text: string): Section {
  return { id, text, isFixed: true };
}

function part(id: string, text: string): Section {
  return { id, text, isFixed: false };
}
