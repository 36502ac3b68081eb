import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRecord } from '#handoff/markdown/read-record.ts';
import { sectionsOf } from '#handoff/markdown/sections.ts';
import { referenceAnchors, referenceRecord } from '../support/reference-audit.ts';
import { sample } from '../support/sampling.ts';

/** Parts of a record, and parts that are nearly right. */
const pieces = [
  '## Handoff Record',
  '## handoff record',
  '## Handoff Record ',
  '### Inputs consumed',
  '### Outputs for next agents',
  '### Decisions NOT covered by inputs',
  '### Coordination signals',
  '### Coordination signals (optional)',
  '## Another section',
  '# Title',
  '- none',
  '- None',
  '- `01-plan.md#a` → x',
  '- `01-plan.md#a`→ x',
  '- `01-plan.md#a` -> x',
  '- `01-plan.md` → x',
  '* `01-plan.md#a` → x',
  '  - `01-plan.md#a` → x',
  '- `a#b#c` → x',
  '- `01-plan.md# a` → x',
  '- `a#` → x',
  '- `#a` → x',
  '- `a#b` → ',
  '- Used v1.2. Reason: stable',
  '- A. B. Reason: c. Reason: d',
  '- Chose X. reason: y',
  '- X.Reason: y',
  '- X. Reason: ',
  '-',
  '- ',
  '```',
  '````markdown',
  '~~~',
  '``` a`b',
  '   ```',
  '    ```',
  '<!--',
  '-->',
  '<!-- one line -->',
  '---',
  '',
  '### 요구사항',
  '### 요구사항'.normalize('NFD'),
  '## Emoji 🎯 goal',
  '## 「設計」方針',
  '##   Leading',
  '## Closed ##',
  '## Closed#',
  '####### seven',
  '#nospace',
  '##',
  '    # code',
  '## a — b',
  '## API_routes',
  '## Setup',
  '## Setup-1',
  '## Setup 1',
];

const words = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => `## ${text}`) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map((text) => `- ${text}`) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 20 }) },
);
const documents = fc
  .tuple(
    fc.constantFrom('', '\uFEFF', '---\n'),
    fc.array(words, { maxLength: 40 }),
    fc.constantFrom('\n', '\r\n', '\r'),
  )
  .map(([start, lines, end]) => `${start}${lines.join(end)}`);

/** The reference supports neither underlined headings nor links and tags in them. */
const withoutMarkup = documents.map((text) =>
  text.replace(/[[\]<>]/g, '').replace(/^ {0,3}(=+|-{2,})[ \t]*$/gm, 'x'),
);

describe('grammar and anchors agree with the reference', () => {
  test('records', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const record = readRecord(text);
        const told = record && {
          inputs: record.inputs.map(({ path, anchor }) => `${path}#${anchor}`),
          outputs: record.outputs.map(({ path, anchor, to }) => ({ ref: `${path}#${anchor}`, to })),
          decisions: record.decisions.map(({ decision, reason }) => `${decision} | ${reason}`),
          malformed: record.malformed.map((item) => `${item.subsection}: ${item.text}`),
          absent: record.absent,
          empty: record.empty.map(({ subsection }) => subsection),
          none: record.none,
        };
        expect(told).toEqual(referenceRecord(text));
      }),
      sample('handoff records', { normal: 2000, soak: 20_000 }),
    );
  });

  test('anchors', () => {
    fc.assert(
      fc.property(withoutMarkup, (text) => {
        expect(sectionsOf(text).map(({ anchor }) => anchor)).toEqual(referenceAnchors(text));
      }),
      sample('anchors of headings', { normal: 2000, soak: 20_000 }),
    );
  });
});
