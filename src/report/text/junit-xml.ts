import { visible } from '#lib/visible.ts';
import { escapeMarkup } from './markup.ts';

type Outcome = 'passed' | 'failure' | 'error' | 'skipped';

export interface Case {
  readonly name: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly outcome: Outcome;
  readonly summary: string;
  readonly text: string;
}

export interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly properties?: readonly Property[];
}

export interface Property {
  readonly name: string;
  readonly value: string;
}

/** A JUnit XML document whose totals add up. */
export function renderSuites(name: string, suites: readonly Suite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name, ...totals(all) })}>`,
    ...suites.flatMap((suite) => renderSuite(suite)),
    '</testsuites>',
    '',
  ].join('\n');
}

function renderSuite({ name, cases, properties = [] }: Suite): string[] {
  return [
    `  <testsuite ${attributes({ name, ...totals(cases) })}>`,
    ...(properties.length === 0
      ? []
      : [
          '    <properties>',
          ...properties.map((property) => `      <property ${attributes({ ...property })}/>`),
          '    </properties>',
        ]),
    ...cases.flatMap((each) => renderCase(name, each)),
    '  </testsuite>',
  ];
}

function renderCase(suite: string, { name, file, line, outcome, summary, text }: Case): string[] {
  const opening = `    <testcase ${attributes({ classname: suite, name, file, line })}`;
  switch (outcome) {
    case 'passed':
      return text === ''
        ? [`${opening}/>`]
        : [`${opening}>`, `      <system-out>${xml(text)}</system-out>`, '    </testcase>'];
    case 'skipped':
      return [`${opening}>`, `      <skipped ${attributes({ message: summary })}/>`, '    </testcase>'];
    case 'failure':
    case 'error':
      return [
        `${opening}>`,
        `      <${outcome} ${attributes({ message: summary })}>${xml(text)}</${outcome}>`,
        '    </testcase>',
      ];
  }
}

function totals(cases: readonly Case[]) {
  const count = (outcome: Outcome) => cases.filter((each) => each.outcome === outcome).length;
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}="${xml(visible(String(value)))}"`)
    .join(' ');
}

/** For printable text only: XML cannot represent control characters. */
function xml(text: string): string {
  return escapeMarkup(text).replaceAll("'", '&apos;');
}
