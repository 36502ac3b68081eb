import { describe, expect, test } from 'vitest';
import { columnsOf } from '#report/text/columns.ts';
import { plainPaint } from '#report/text/paint.ts';
import { RulesReport } from '#schema/command-reports.ts';
import { ruleById, ruleIds, rules } from '#schema/rules.ts';
import { renderExplain, renderRules, renderRulesJson } from './explain.ts';

const page = { width: 80, paint: plainPaint, unicode: true };
const numbered = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`);

test('the table has every rule, numbered without gaps', () => {
  expect(rules.map(({ id }) => id)).toEqual([...ruleIds]);
  for (const letter of ['T', 'S', 'V']) {
    const own = ruleIds.filter((id) => id.startsWith(letter));
    expect(own).toEqual(numbered(letter, own.length));
  }
});

test.each(rules)('$id has all its parts', ({ what, example, move, languages, precision }) => {
  for (const sentence of [what, move]) expect(sentence).toMatch(/^[A-Z].*\.$/);
  for (const line of [...example.a, ...example.b]) expect(line.length).toBeLessThanOrEqual(70);
  expect(example.a.length * example.b.length * languages.length).toBeGreaterThan(0);
  expect(precision).toBeGreaterThan(0.5);
  expect(precision).toBeLessThanOrEqual(1);
});

describe('explain', () => {
  test('describes the rule, shows both branches, what to do and how to silence it', () => {
    const text = renderExplain(ruleById('S02'), page);
    for (const part of [
      'S02  use-of-renamed-symbol',
      '- export function getUser',
      '+ const user = await getUser',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain('What to do\n  Use the new name');
  });

  test('the suggested config is JSON', () => {
    for (const width of [40, 80, 200]) {
      const text = renderExplain(ruleById('S01'), { ...page, width });
      const [ignore = '', off = ''] = text.split(/until a\s+date:|everywhere:/).slice(1);
      expect(JSON.parse(ignore)).toEqual({
        ignore: [{ rule: 'S01', path: 'src/legacy/**', reason: 'why this is fine', expires: '2027-01-01' }],
      });
      expect(JSON.parse(off)).toEqual({ rules: { S01: 'off' } });
    }
  });

  test('says that a rule about a single branch never blocks', () => {
    expect(renderExplain(ruleById('S21'), page)).toContain('never stops work');
  });
});

describe('rules', () => {
  test.each([40, 80])('are listed within %i columns', (width) => {
    const lines = renderRules(rules, { ...page, width }).split('\n');
    for (const { id, name } of rules)
      expect(lines.some((line) => line.includes(`${id}  ${name}`))).toBe(true);
    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(width);
  });

  test('take one line each for most rules in 80 columns', () => {
    const lines = renderRules(rules, page).split('\n');
    expect(lines.filter((line) => line.startsWith('     ')).length).toBeLessThanOrEqual(5);
    expect(lines).toContain('S01  use-of-removed-symbol             blocking    0/31  all languages');
  });

  test('show how many findings were looked at, and how many were wrong', () => {
    const [rule] = rules;
    if (!rule) throw new Error('there are rules');
    const shown = (findings: number, real: number) =>
      renderRules([{ ...rule, measured: { findings, real } }], page).split('\n')[0];
    expect(shown(30, 29)).toContain('  1/30');
    expect(shown(2, 2)).toContain('   0/2');
    expect(renderRules(rules, page)).not.toContain('100 %');
  });

  test('are listed for machines', () => {
    const { schema, rules: listed } = JSON.parse(renderRulesJson(rules));
    expect(schema).toBe('joinery/rules@1');
    expect(listed).toContainEqual({
      id: 'S02',
      name: 'use-of-renamed-symbol',
      category: 'interface',
      severity: 'blocking',
      single: false,
      languages: expect.arrayContaining(['typescript', 'javascript', 'python', 'go']),
      precision: 0.98,
      measured: expect.objectContaining({ findings: expect.any(Number) }),
      what: expect.stringContaining('renames'),
    });
    expect(RulesReport.strict().safeParse({ schema, rules: listed }).error).toBeUndefined();
  });
});
