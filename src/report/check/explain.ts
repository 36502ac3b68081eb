import { columnsOf } from '#report/text/columns.ts';
import { hang } from '#report/text/flow.ts';
import { printJson } from '#report/text/json.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import { plainPaint, tintOf } from '#report/text/paint.ts';
import type { RulesReport } from '#schema/command-reports.ts';
import { type RuleFacts, type RuleLanguage, ruleById, ruleLanguages } from '#schema/rules.ts';
import { breaks } from '#schema/verdict.ts';
import { listed } from './wording.ts';

/** A rule, with an example and what to do about it. */
export function renderExplain(rule: RuleFacts, page: Page): string {
  const { paint, width } = page;
  const title = `${paint.bold(rule.id)}  ${paint.bold(rule.name)}`;
  const indented = (words: string) => hang('', words, { width, indent: 2 });
  const blocks = [
    [title, ...hang('', standing(rule, marksOf(page).dot), { width, tint: paint.dim })],
    hang('', rule.what, { width }),
    [
      paint.bold('One branch'),
      ...exampleLines(rule.example.a, page),
      paint.bold('The other'),
      ...exampleLines(rule.example.b, page),
    ],
    [paint.bold('What to do'), ...indented(rule.move)],
    [paint.bold('To silence it, in joinery.json'), ...silencing(rule, page)],
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

/** The same text for formats that embed it as a whole. */
export function describeRule(rule: RuleFacts): string {
  return renderExplain(rule, { width: Number.POSITIVE_INFINITY, paint: plainPaint, unicode: false });
}

/** When the rule blocks, where it looks, and how reliable it is. */
function standing(rule: RuleFacts, dot: string): string {
  const weight = breaks(rule)
    ? 'blocking: stops work when judged true, undecided when likely'
    : `${rule.severity}, never stops work by itself`;
  const languages = listed(rule.languages.map((language) => ruleLanguages[language]));
  const trust =
    measuredPrecision(rule) === null || !rule.measured
      ? `about ${Math.round(rule.precision * 100)} % of findings are expected to be real`
      : `${rule.measured.findings - rule.measured.real} of ${rule.measured.findings} findings in our own seeded conflicts and their twins were wrong`;
  const seen = rule.alarms
    ? [`found something in ${rule.alarms.with} of ${rule.alarms.merges} real merges that people kept`]
    : [];
  return [weight, rule.category, languages, trust, ...seen].join(` ${dot} `);
}

/** Code is never wrapped: a broken line would be a different program. */
function exampleLines(lines: readonly string[], { paint }: Page): string[] {
  return lines.map((line) => {
    const tint = line.startsWith('+') ? paint.green : line.startsWith('-') ? paint.red : paint.dim;
    return `  ${tint(line)}`;
  });
}

function silencing({ id }: RuleFacts, { paint, width }: Page): string[] {
  const ignore = { rule: id, path: 'src/legacy/**', reason: 'why this is fine', expires: '2027-01-01' };
  const entries = Object.entries(ignore).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  const whole = `{ "ignore": [{ ${entries.join(', ')} }] }`;
  const spread = [
    '{ "ignore": [{',
    ...entries.map((entry, at) => `    ${entry}${at < entries.length - 1 ? ',' : ''}`),
    '}] }',
  ];
  return [
    ...hang('', 'where it does not matter, until a date:', { width, indent: 2, tint: paint.dim }),
    ...(columnsOf(whole) + 4 <= width ? [whole] : spread).map((line) => `    ${line}`),
    ...hang('', 'everywhere:', { width, indent: 2, tint: paint.dim }),
    `    { "rules": { "${id}": "off" } }`,
  ];
}

/** Below this number of findings a percentage says little. */
const fewestFindings = 30;

function measuredPrecision({ measured }: RuleFacts): number | null {
  if (!measured || measured.findings < fewestFindings) return null;
  return Math.round((1000 * measured.real) / measured.findings) / 1000;
}

/** `2/28`, wrong findings of all: how many were looked at says more than a share of a few. */
function errorsText({ measured }: RuleFacts): string {
  return measured ? `${measured.findings - measured.real}/${measured.findings}` : '–';
}

/** Every language that is parsed. */
const parsed = ruleById('T03').languages;

/** `TS, JS, Python`: names that leave room for a line per rule in 80 columns. */
function languageCell(languages: readonly RuleLanguage[]): string {
  const short: Partial<Record<RuleLanguage, string>> = { typescript: 'TS', javascript: 'JS' };
  if (languages.includes('any')) return ruleLanguages.any;
  return parsed.every((each) => languages.includes(each))
    ? 'all languages'
    : languages.map((language) => short[language] ?? ruleLanguages[language]).join(', ');
}

/** All rules, one line each if the width allows. */
export function renderRules(rules: readonly RuleFacts[], page: Page): string {
  const { paint, width } = page;
  const longest = Math.max(0, ...rules.map(({ name }) => name.length));
  const lines = rules.flatMap((rule) => {
    const { id, name, severity } = rule;
    const languages = languageCell(rule.languages);
    const tint = tintOf(paint, severity);
    const errors = errorsText(rule).padStart(5);
    const row = `${id}  ${name.padEnd(longest + 4 - id.length)}  ${severity.padEnd(9)}  ${errors}  ${languages}`;
    if (row.length > width) {
      return [
        `${paint.bold(id)}  ${name}`,
        ...hang(`${severity}, ${errors.trim()} wrong, `, languages, {
          width,
          indent: 5,
          tintLabel: tint,
          tint: paint.dim,
        }),
      ];
    }
    return [
      `${paint.bold(id)}  ${name.padEnd(longest + 4 - id.length)}  ${tint(severity.padEnd(9))}  ${errors}  ${paint.dim(languages)}`,
    ];
  });
  return [
    ...lines,
    '',
    ...hang(
      '',
      `Severity when proven; wrong findings of all in our own seeded conflicts and their twins, which says little about other code; what it reads. All languages: ${listed(parsed.map((language) => ruleLanguages[language]))}. joinery explain <rule> says more about one of them.`,
      { width },
    ),
    '',
  ].join('\n');
}

/** `joinery rules --json`. */
export function renderRulesJson(rules: readonly RuleFacts[]): string {
  return printJson(rulesReport(rules));
}

export function rulesReport(rules: readonly RuleFacts[]): RulesReport {
  return {
    schema: 'joinery/rules@1',
    rules: rules.map((rule) => ({
      id: rule.id,
      name: rule.name,
      category: rule.category,
      severity: rule.severity,
      single: rule.single ?? false,
      languages: [...rule.languages],
      precision: rule.precision,
      measured: {
        findings: rule.measured?.findings ?? 0,
        precision: measuredPrecision(rule),
        alarms: rule.alarms ?? null,
      },
      what: rule.what,
    })),
  };
}
