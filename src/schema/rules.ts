import { ruleTable } from './rule-table.ts';
import type { Category, Severity } from './vocabulary.ts';

/** One line for each rule: an id that is not here does not compile. */
export const ruleIds = [
  'T01',
  'T02',
  'T03',
  'T04',
  'T05',
  'T06',
  'T07',
  'S01',
  'S02',
  'S03',
  'S04',
  'S05',
  'S06',
  'S07',
  'S08',
  'S09',
  'S10',
  'S11',
  'S12',
  'S13',
  'S14',
  'S15',
  'S16',
  'S17',
  'S18',
  'S19',
  'S20',
  'S21',
  'C01',
  'C02',
  'C03',
  'C04',
  'C05',
  'C06',
  'C07',
  'C08',
  'C09',
  'C10',
  'C11',
  'C12',
  'M01',
  'M02',
  'M03',
  'N01',
  'N02',
  'D01',
  'D02',
  'D03',
  'D04',
  'D05',
  'D06',
  'D07',
  'K01a',
  'K01b',
  'K02',
  'K03',
  'K04',
  'M04',
  'M05',
  'M06',
  'M07',
  'M08',
  'M09',
  'M10',
  'G01',
  'G02',
  'G03',
  'V01',
  'V02',
  'V03',
  'V04',
  'V05',
] as const;

/** `'S02'`. */
export type RuleId = (typeof ruleIds)[number];

/** Languages and formats of rules, with their names for people. */
export const ruleLanguages = {
  any: 'any file',
  typescript: 'TypeScript',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  ruby: 'Ruby',
  csharp: 'C#',
  php: 'PHP',
  json: 'JSON',
  yaml: 'YAML',
  toml: 'TOML',
  env: '.env',
  sql: 'SQL',
  graphql: 'GraphQL',
  protobuf: 'protobuf',
  prisma: 'Prisma',
} as const;

export type RuleLanguage = keyof typeof ruleLanguages;

/** The facts of a rule for reports, config and people. Detection: `check/rules/<id>-<name>.ts`. */
export interface RuleFacts {
  readonly id: RuleId;
  readonly name: string;
  readonly category: Category;
  /** The consequence if a finding is true. */
  readonly severity: Severity;
  /** A problem of a single branch: never blocks. */
  readonly single?: true;
  /** Its likely findings are told, but nobody is asked: it was wrong too often. */
  readonly asks?: false;
  /** Found only with `--risk`. */
  readonly needsRisk?: true;
  readonly languages: readonly RuleLanguage[];
  /** Share of findings expected to be real; an estimate until the accuracy bench has measured it. */
  readonly precision: number;
  /** Real merges that people kept unchanged, and how many of them have a finding of this rule (bench/accuracy/alarms.json). */
  readonly alarms?: { readonly merges: number; readonly with: number };
  /** Findings in the accuracy bench, and how many of them name a real conflict (bench/accuracy/seeded.json). */
  readonly measured?: { readonly findings: number; readonly real: number };
  readonly what: string;
  /** Two branches that are each fine alone. */
  readonly example: { readonly a: readonly string[]; readonly b: readonly string[] };
  /** What to do about a finding. */
  readonly move: string;
}

/** All rules, sorted by id. */
export const rules: readonly RuleFacts[] = Object.values(ruleTable);

/** Whether a rule reports only with `--risk`. */
export function needsRisk(id: string): boolean {
  return rules.some((rule) => rule.id === id && rule.needsRisk === true);
}

/** `id` comes from our code or from a report. */
export function ruleById(id: RuleId | (string & {})): RuleFacts {
  const found = rules.find((rule) => rule.id === id);
  if (!found) throw new Error(`unknown rule ${id}`);
  return found;
}
