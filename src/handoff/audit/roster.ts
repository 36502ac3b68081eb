/** A role that writes into a pipeline folder. */
export interface RosterEntry {
  readonly role: string;
  /** Names of its files, and their prefixes. */
  readonly files: readonly string[];
  /** Position in the pipeline: outputs go to later positions. Null: any position. */
  readonly order: number | null;
  /** It may start the work, so it may have consumed nothing. */
  readonly mayStart?: true;
  /** It ends the work: its output needs no consumer. */
  readonly isTerminal?: true;
  /** Roles that must get at least one output from it, if they take part. */
  readonly handsOnTo: readonly string[];
  /** An additional subsection that its record should have. */
  readonly subsection?: string;
}

/** The roles of a buildcrew pipeline. */
export const roster: readonly RosterEntry[] = [
  {
    role: 'thinker',
    files: ['design-doc.md'],
    order: 0,
    mayStart: true,
    handsOnTo: ['planner'],
    subsection: 'Assumption chain',
  },
  {
    role: 'planner',
    files: ['01-', 'plan.md'],
    order: 1,
    mayStart: true,
    handsOnTo: ['designer', 'developer'],
  },
  { role: 'plan-challenger', files: ['01.5-'], order: 1.5, handsOnTo: [] },
  { role: 'designer', files: ['02-'], order: 2, handsOnTo: ['developer'] },
  { role: 'spec-challenger', files: ['02.5-'], order: 2.5, handsOnTo: [] },
  {
    role: 'architect',
    files: ['architecture-review.md', 'arch-review.md'],
    order: 2.7,
    handsOnTo: ['developer'],
  },
  { role: 'developer', files: ['03-'], order: 3, handsOnTo: ['qa-tester', 'reviewer'] },
  { role: 'qa-tester', files: ['04-'], order: 4, handsOnTo: ['reviewer'] },
  { role: 'browser-qa', files: ['05-'], order: 5, handsOnTo: ['reviewer'] },
  {
    role: 'design-reviewer',
    files: ['design-review.md'],
    order: 5.2,
    handsOnTo: [],
    subsection: 'UX score provenance',
  },
  { role: 'security-auditor', files: ['security-audit.md'], order: 5.4, handsOnTo: [] },
  {
    role: 'qa-auditor',
    files: ['qa-report.md'],
    order: 5.6,
    isTerminal: true,
    handsOnTo: [],
    subsection: 'Subagent findings consolidation',
  },
  {
    role: 'reviewer',
    files: ['06-'],
    order: 6,
    isTerminal: true,
    handsOnTo: [],
    subsection: 'Coordination signals',
  },
  { role: 'shipper', files: ['07-'], order: 7, isTerminal: true, handsOnTo: [] },
  { role: 'canary-monitor', files: ['canary-report.md'], order: 8, isTerminal: true, handsOnTo: [] },
  { role: 'health-checker', files: ['health-report.md'], order: null, isTerminal: true, handsOnTo: [] },
  {
    role: 'investigator',
    files: ['investigation.md'],
    order: null,
    handsOnTo: [],
    subsection: 'Root cause trace',
  },
];

/** Written by the auditor or the lead, never by an agent that hands on work. */
const notHandedIn = new Set(['coherence-report.md', 'iteration-log.md', 'readme.md']);

/** Two names of one document: the role's record uses one, its instructions the other. */
const twins: readonly (readonly [string, string])[] = [
  ['03-impl.md', '03-dev-notes.md'],
  ['04-qa.md', '04-qa-report.md'],
  ['arch-review.md', 'architecture-review.md'],
];

/** The other name of a document. */
export function twinOf(name: string): string | null {
  const pair = twins.find((names) => names.includes(name));
  return pair?.find((other) => other !== name) ?? null;
}

/** The author of a file in a pipeline folder; null if it has none. An unknown name is its own role. */
export function entryFor(file: string): RosterEntry | null {
  const name = file.toLowerCase();
  if (notHandedIn.has(name)) return null;
  const known = roster.find(({ files }) =>
    files.some((pattern) => (pattern.endsWith('.md') ? name === pattern : name.startsWith(pattern))),
  );
  return known ?? { role: name.replace(/\.md$/, ''), files: [file], order: null, handsOnTo: [] };
}

/** Roles that a record may address: `developer + qa-tester (test plan)`. */
export interface Addressees {
  readonly roles: readonly string[];
  readonly unknown: readonly string[];
  /** People are addressed too; they are not expected to cite. */
  readonly isForUser: boolean;
}

const persons = new Set(['user', 'users', 'human']);

export function addresseesOf(written: string, knows: (name: string) => boolean): Addressees {
  const names = withoutParentheses(written)
    .split(/[+,/|;&]|\band\b/)
    .map((name) =>
      name
        .replace(/[{}`@*]/g, '')
        .trim()
        .toLowerCase(),
    )
    .filter((name) => name !== '');
  return {
    roles: [...new Set(names.filter(knows))],
    unknown: [...new Set(names.filter((name) => !knows(name) && !persons.has(name)))],
    isForUser: names.some((name) => persons.has(name)),
  };
}

/** Removes parentheses with their content, also nested ones; an unclosed one hides the rest. */
function withoutParentheses(text: string): string {
  let depth = 0;
  let kept = '';
  for (const character of text) {
    if (character === '(') depth += 1;
    else if (character === ')' && depth > 0) depth -= 1;
    else if (depth === 0) kept += character;
  }
  return kept;
}
