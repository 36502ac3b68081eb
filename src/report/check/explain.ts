import { columnsOf } from '#report/text/columns.ts';
import { hang } from '#report/text/flow.ts';
import { printJson } from '#report/text/json.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import { plainPaint, tintOf } from '#report/text/paint.ts';
import type { RulesReport } from '#schema/command-reports.ts';
import { type RuleLanguage, ruleTexts } from '#schema/rule-texts.ts';
import type { Rule } from '#schema/rules.ts';
import { listed } from './wording.ts';

const languageNames: Record<RuleLanguage, string> = {
  any: 'any file',
  typescript: 'TypeScript',
  javascript: 'JavaScript',
  python: 'Python',
  json: 'JSON',
  yaml: 'YAML',
  toml: 'TOML',
  env: '.env',
};

/** A rule, with an example and what to do about it. */
export function renderExplain(rule: Rule, page: Page): string {
  const { paint, width } = page;
  const text = ruleTexts.get(rule.id);
  const title = `${paint.bold(rule.id)}  ${paint.bold(rule.name)}`;
  const indented = (words: string) => hang('', words, { width, indent: 2 });
  const blocks = [
    [title, ...hang('', standing(rule, marksOf(page).dot), { width, tint: paint.dim })],
    ...(text
      ? [
          hang('', text.what, { width }),
          [
            paint.bold('One branch'),
            ...exampleLines(text.example.a, page),
            paint.bold('The other'),
            ...exampleLines(text.example.b, page),
          ],
          [paint.bold('What to do'), ...indented(text.todo)],
        ]
      : []),
    [paint.bold('To silence it, in joinery.json'), ...silencing(rule, page)],
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

/** The same text for formats that carry it along as a whole. */
export function describeRule(rule: Rule): string {
  return renderExplain(rule, { width: Number.POSITIVE_INFINITY, paint: plainPaint, unicode: false });
}

/** When it blocks, where it looks, how far to trust it. */
function standing(rule: Rule, dot: string): string {
  const text = ruleTexts.get(rule.id);
  const weight =
    rule.severity === 'blocking'
      ? 'blocking when proven, important when likely'
      : `${rule.severity}, never blocks`;
  const parts = [weight, rule.category];
  if (text) {
    parts.push(listed(text.languages.map((language) => languageNames[language])));
    parts.push(`about ${Math.round(text.precision * 100)} % of findings are expected to be real`);
  }
  return parts.join(` ${dot} `);
}

/** Code is never wrapped: a broken line would be another program. */
function exampleLines(lines: readonly string[], { paint }: Page): string[] {
  return lines.map((line) => {
    const tint = line.startsWith('+') ? paint.green : line.startsWith('-') ? paint.red : paint.dim;
    return `  ${tint(line)}`;
  });
}

function silencing({ id }: Rule, { paint, width }: Page): string[] {
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

/** All rules, one line each where the width allows. */
export function renderRules(rules: readonly Rule[], page: Page): string {
  const { paint, width } = page;
  const longest = Math.max(0, ...rules.map(({ name }) => name.length));
  const lines = rules.flatMap(({ id, name, severity }) => {
    const languages = (ruleTexts.get(id)?.languages ?? [])
      .map((language) => languageNames[language])
      .join(', ');
    const tint = tintOf(paint, severity);
    const row = `${id}  ${name.padEnd(longest)}  ${severity.padEnd(9)}  ${languages}`;
    if (row.length > width) {
      return [
        `${paint.bold(id)}  ${name}`,
        ...hang(`${severity}, `, languages, { width, indent: 5, tintLabel: tint, tint: paint.dim }),
      ];
    }
    return [
      `${paint.bold(id)}  ${name.padEnd(longest)}  ${tint(severity.padEnd(9))}  ${paint.dim(languages)}`,
    ];
  });
  return [
    ...lines,
    '',
    ...hang('', 'joinery explain <rule> says more about one of them.', { width }),
    '',
  ].join('\n');
}

/** `joinery rules --json`. */
export function renderRulesJson(rules: readonly Rule[]): string {
  const report: RulesReport = {
    schema: 'joinery/rules@1',
    rules: rules.map(({ id, name, category, severity, single }) => ({
      id,
      name,
      category,
      severity,
      single,
      languages: [...(ruleTexts.get(id)?.languages ?? [])],
      precision: ruleTexts.get(id)?.precision ?? null,
      what: ruleTexts.get(id)?.what ?? '',
    })),
  };
  return printJson(report);
}
