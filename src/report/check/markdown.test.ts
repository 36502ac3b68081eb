import { expect, test } from 'vitest';
import * as samples from '#report/testing/sample-reports.ts';
import { rootCauseId } from '#schema/identity.ts';
import { renderMarkdown } from './markdown.ts';

const none = new Map();

test('verdict, table, code of both sides, and what can land', () => {
  const { report, frames } = samples.renamed();
  const text = renderMarkdown(report, frames);
  expect(text).toMatch(/^### ❌ The branches do not fit: 1 blocking finding\. Next: change feat\/b\.\n/);
  expect(text).toContain('| **blocking**, proven | S02 use-of-renamed-symbol <code>6c188c33</code> |');
  expect(text).toContain('> 48 |   const user = await getUser(id);');
  expect(text).toContain('> 12 | export async function fetchUser');
  expect(text).toContain('- **Owner** `feat/b`: following a rename is mechanical');
  expect(text).toContain('**Can land now:** `feat/a`, `feat/c`');
  expect(text).toContain('**Blocked:** `feat/b` (by `6c188c33`)');
});

test('findings that do not fit are left out as a whole and counted', () => {
  const findings = Array.from({ length: 500 }, (_, index) =>
    samples.finding({
      rootCause: rootCauseId('S02', `${index}`),
      message: `problem ${index}. ${'why '.repeat(100)}`,
    }),
  );
  const text = renderMarkdown(samples.report({ status: 'fail', findings }), none);
  const shown = text.match(/<details>/g)?.length ?? 0;
  expect(text.length).toBeLessThanOrEqual(60_000);
  expect(shown).toBeGreaterThan(10);
  expect(text.match(/<\/details>/g)).toHaveLength(shown);
  expect(text).toContain(`_${500 - shown} more findings left out for length`);
  expect(text).toContain('**Can land now:**');
});

test('text from the repository is never markup', () => {
  const message = '*a* _b_ [c](http://d) <img src=x> `e` | @team #12 $f$';
  const text = renderMarkdown(samples.report({ findings: [samples.finding({ message })] }), none);
  const row = text.split('\n').find((line) => line.includes('src=x')) ?? '';
  expect(row).toContain(
    '\\*a\\* \\_b\\_ \\[c\\](http\u2060://d) \\<img src=x\\> \\`e\\` &#124; @\u2060team #\u206012 \\$f\\$',
  );
  expect(row.match(/(?<!\\)\|/g)).toHaveLength(6);
});

test('a paragraph cannot start a list or a heading', () => {
  for (const message of ['- x', '# x', '1. x', '=== x', '+ x']) {
    const text = renderMarkdown(samples.report({ findings: [samples.finding({ message })] }), none);
    expect(text.split('\n')).not.toContain(message);
  }
});

test('code that contains a fence does not close its own', () => {
  const { report } = samples.renamed();
  const id = report.findings[0]?.id ?? '';
  const frames = new Map([[id, [samples.frame({ lines: ['a', '````', '</details>'] })]]]);
  expect(renderMarkdown(report, frames)).toContain(
    '`````text\n  47 | a\n> 48 | ````\n  49 | </details>\n`````',
  );
});

test('a long line is shown around the site', () => {
  const { report } = samples.renamed();
  const id = report.findings[0]?.id ?? '';
  const lines = ['', `${'x'.repeat(5000)} getUser(id) ${'y'.repeat(5000)}`, ''];
  const text = renderMarkdown(report, new Map([[id, [samples.frame({ lines, column: 5002 })]]]));
  expect(text).toMatch(/> 48 \| …x+ getUser\(id\) y+…\n/);
});

test('a file name cannot break out of the summary line', () => {
  const file = '</summary><script>"&.ts';
  const finding = samples.finding({ sites: [samples.site({ file })] });
  const text = renderMarkdown(samples.report({ findings: [finding] }), none);
  const line = text.split('\n').find((each) => each.startsWith('<details>')) ?? '';
  expect(line).toContain('<code>&lt;/summary&gt;&lt;script&gt;&quot;&amp;.ts:48</code>');
  expect(line.match(/<\/?\w+>/g)).toHaveLength(7);
});

test('a branch name cannot end a cell or its code span', () => {
  const finding = samples.finding({ owner: 'a|b`c\\|d', branches: ['a|b`c\\|d', '``'] });
  const text = renderMarkdown(samples.report({ findings: [finding] }), none);
  const row = text.split('\n').find((line) => line.startsWith('| **blocking')) ?? '';
  expect(row.match(/\|/g)).toHaveLength(6);
  expect(text).toContain('- **Owner** ``a|b`c\\|d``');
});
