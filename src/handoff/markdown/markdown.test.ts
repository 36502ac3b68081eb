import { describe, expect, test } from 'vitest';
import { readRecord } from './read-record.ts';
import { sectionsOf, slugOf } from './sections.ts';

function recordWith(part: { inputs?: string; outputs?: string; decisions?: string }): string {
  return [
    '# Doc',
    '## Handoff Record',
    '### Inputs consumed',
    part.inputs ?? '- none',
    '### Outputs for next agents',
    part.outputs ?? '- none',
    '### Decisions NOT covered by inputs',
    part.decisions ?? '- none',
    '',
  ].join('\n');
}

describe('items of a record', () => {
  test.each([
    ['- `01-plan.md#a` → x', { path: '01-plan.md', anchor: 'a', usedFor: 'x' }],
    ['- `a#b#c` → x', { path: 'a', anchor: 'b#c', usedFor: 'x' }],
    ['- `01-plan.md# a` → x', { path: '01-plan.md', anchor: ' a', usedFor: 'x' }],
  ])('%s', (line, expected) => {
    expect(readRecord(recordWith({ inputs: line }))).toMatchObject({ inputs: [expected], malformed: [] });
  });

  test.each(['- `01-plan.md#a`→ x', '- `01-plan.md#a` -> x', '- `01-plan.md` → x', '- Source tree → read'])(
    '%s is malformed',
    (line) => {
      expect(readRecord(recordWith({ inputs: line }))).toMatchObject({
        inputs: [],
        malformed: [{ subsection: 'inputs', text: line, line: 4 }],
      });
    },
  );

  test.each(['* `01-plan.md#a` → x', '  - `01-plan.md#a` → x', '<!-- - `01-plan.md#a` → x -->'])(
    '%s is not an item',
    (line) => {
      expect(readRecord(recordWith({ inputs: line }))).toMatchObject({
        inputs: [],
        malformed: [],
        empty: [{ subsection: 'inputs', line: 3 }],
      });
    },
  );

  test.each([
    ['- Used v1.2. Reason: stable', 'Used v1.2', 'stable'],
    ['- A. B. Reason: c. Reason: d', 'A. B', 'c. Reason: d'],
  ])('%s', (line, decision, reason) => {
    expect(readRecord(recordWith({ decisions: line }))).toMatchObject({ decisions: [{ decision, reason }] });
  });

  test.each(['- Chose X. reason: y', '- X.Reason: y', '- X. Reason: '])('%s is malformed', (line) => {
    expect(readRecord(recordWith({ decisions: line }))?.malformed).toHaveLength(1);
  });
});

describe('the place of a record', () => {
  test.each([
    '## handoff record',
    '## Handoff Record (required)',
    '### Handoff Record',
    ' ## Handoff Record',
    '## Handoff Record ',
  ])('%s is not a record', (heading) => {
    expect(readRecord(recordWith({}).replace('## Handoff Record', heading))).toBeNull();
  });

  test('in a fence, a comment or front matter does not count', () => {
    const text = recordWith({});
    for (const [open, close] of [
      ['```markdown', '```'],
      ['~~~~', '~~~~'],
      ['<!--', '-->'],
      ['---', '---'],
    ])
      expect(readRecord([open, ...text.split('\n').slice(1), close].join('\n'))).toBeNull();
  });

  test('ends at the next section, and records that something follows', () => {
    const text = `${recordWith({ decisions: '- A. Reason: b' })}## Later\n- C. Reason: d\n`;
    expect(readRecord(text)).toMatchObject({ isLast: false, decisions: [{ decision: 'A' }] });
  });

  test('is the last one if there are several', () => {
    const text =
      recordWith({ decisions: '- Old. Reason: a' }) + recordWith({ decisions: '- New. Reason: b' });
    expect(readRecord(text)).toMatchObject({ earlier: 1, decisions: [{ decision: 'New' }] });
  });

  test('does not depend on line ends, a byte order mark or the form of characters', () => {
    const text = recordWith({ inputs: '- `01-plan.md#요구사항` → café' });
    const plain = readRecord(text);
    expect(plain?.inputs).toHaveLength(1);
    for (const same of [
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', '\r'),
      `\uFEFF${text}`,
      text.normalize('NFD'),
    ])
      expect(readRecord(same)).toEqual(plain);
  });

  test('lists what is absent and what is empty', () => {
    const text = '## Handoff Record\n### Inputs consumed\n\n### Coordination signals\n- Referenced x\n';
    expect(readRecord(text)).toMatchObject({
      absent: ['outputs', 'decisions'],
      empty: [{ subsection: 'inputs', line: 2 }],
      others: ['Coordination signals'],
    });
  });
});

describe('anchors', () => {
  test.each([
    ['Scope (In / Out / Deferred)', 'scope-in--out--deferred'],
    ['Data & State Changes', 'data--state-changes'],
    ['요구사항 3: 로그인', '요구사항-3-로그인'],
    ['API_routes', 'api_routes'],
    ['「設計」方針', '設計方針'],
    ['a — b', 'a--b'],
    ['Emoji 🎯 goal', 'emoji--goal'],
    ['  Leading', 'leading'],
    ['`code` in heading', 'code-in-heading'],
    ['Requirement #3', 'requirement-3'],
    ['See [the plan](https://example.com/a_b)', 'see-the-plan'],
    ['Für <b>alle</b>', 'für-alle'],
    ['👩‍👩‍👧 family', '-family'],
  ])('%s', (title, anchor) => {
    expect(slugOf(title)).toBe(anchor);
  });

  test.each([
    [
      ['Setup', 'Setup', 'Setup'],
      ['setup', 'setup-1', 'setup-2'],
    ],
    [
      ['Setup', 'Setup-1', 'Setup'],
      ['setup', 'setup-1', 'setup-2'],
    ],
    [
      ['Setup', 'Setup', 'Setup-1'],
      ['setup', 'setup-1', 'setup-1-1'],
    ],
    [
      ['Foo!', 'Foo?', 'foo'],
      ['foo', 'foo-1', 'foo-2'],
    ],
    [
      ['요구사항', '요구사항'.normalize('NFD')],
      ['요구사항', '요구사항-1'],
    ],
    [
      ['constructor', '__proto__', 'constructor'],
      ['constructor', '__proto__', 'constructor-1'],
    ],
  ])('%j', (titles, anchors) => {
    const text = titles.map((title) => `## ${title}\n`).join('\n');
    expect(sectionsOf(text).map(({ anchor }) => anchor)).toEqual(anchors);
  });

  test('come from headings only', () => {
    const text = [
      '---',
      'title: x',
      '---',
      '# One #',
      '```sh',
      '# not this',
      '```',
      'Under',
      '=====',
      '',
      'a list',
      '- item',
      '---',
      '',
      '| a | b |',
      '--- ',
      '####### seven',
      '#none',
    ];
    expect(sectionsOf(text.join('\n')).map(({ anchor, line }) => [anchor, line])).toEqual([
      ['one', 4],
      ['under', 8],
    ]);
  });
});
