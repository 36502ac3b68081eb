import { describe, expect, test } from 'vitest';
import type { SpecKind } from '#schema/planning.ts';
import { auditSpec } from './audit.ts';
import { nameOf, type SpecFile, specPath } from './spec.ts';
import { newSpec, templateOf } from './templates.ts';

function audit(
  text: string,
  options: { kind?: SpecKind; linked?: SpecFile[]; broken?: string[]; maxTasks?: number } = {},
) {
  const kind = options.kind ?? 'feature';
  return auditSpec({
    spec: { path: specPath(kind, 'x'), kind, text, sha256: '', linked: options.linked ?? [] },
    template: templateOf(kind),
    brokenLinks: options.broken ?? [],
    maxTasks: options.maxTasks ?? 10,
  });
}

const good = `# Checkout

## Goal

A buyer pays in one step. Today it takes three, and every third buyer gives up.

## Requirements

- A payment takes at most 2 requests.

## Acceptance criteria

- [ ] \`pay(cart)\` sends one request.

## Out of scope

Refunds are not part of this. They stay where they are.
`;

const levels = (report: ReturnType<typeof audit>) =>
  report.issues.map(({ level, severity, line }) => `${level} ${severity} ${line}`);

describe('a spec', () => {
  test('that is complete passes', () => {
    expect(audit(good)).toMatchObject({ status: 'pass', issues: [], sizing: { recommendation: 'ok' } });
  });

  test.each([
    [
      'nothing it asks for',
      good.replace('## Requirements', '## This').replace('## Acceptance criteria', '## That'),
      1,
      'Requirements',
    ],
    ['a missing title', good.replace('# Checkout', 'Checkout'), 1, 'title'],
    ['an empty section', good.replace(/A buyer.*\n/, ''), 3, '"Goal" is empty'],
    ['a TODO', good.replace('Refunds are', 'TODO: refunds are'), 17, 'TODO'],
    [
      'a placeholder of the template',
      good.replace('A payment', '{A requirement.} A payment'),
      9,
      '{A requirement.}',
    ],
  ])('with %s fails, and the issue names the line', (_, text, line, words) => {
    const report = audit(text);
    expect(report.status).toBe('fail');
    expect(report.issues).toContainEqual(
      expect.objectContaining({
        level: 'structural',
        severity: 'error',
        line,
        message: expect.stringContaining(words),
      }),
    );
  });

  test('of a feature may use other sections, as long as it demands something', () => {
    const report = audit(
      good.replace('## Out of scope', '## Elsewhere').replace('## Requirements', '## What we want'),
    );
    expect(report.status).toBe('warn');
    expect(levels(report)).toEqual(['structural warning 1', 'structural warning 1']);
    const { text } = newSpec('prd', 'x', templateOf('prd'));
    expect(audit(text.replace('## Users', '## People'), { kind: 'prd' }).issues).toContainEqual(
      expect.objectContaining({ severity: 'error', message: expect.stringContaining('"Users" is missing') }),
    );
  });

  test('may contain TODO and braces in code', () => {
    const text = good.replace('Refunds are', '`TODO` in `/users/{id}` and /users/{id} are');
    expect(audit(`${text}\n\`\`\`\n# TODO\n## Not a section\n\`\`\`\n`).status).toBe('pass');
  });

  test('with a broken link fails', () => {
    const text = good.replace('Refunds', '[Refunds](./refunds.md)');
    expect(audit(text, { broken: ['./refunds.md'] }).issues).toMatchObject([
      { level: 'structural', line: 17 },
    ]);
    expect(audit(text).status).toBe('pass');
  });

  test.each([
    ['one sentence only', good.replace(' Today it takes three, and every third buyer gives up.', ''), 3],
    ['requirements without a list', good.replace('- A payment', 'Always. A payment'), 7],
    ['an empty criterion', good.replace('- [ ] `pay(cart)` sends one request.', '- [ ] \n- [ ] One.'), 13],
    ['a criterion that cannot be verified', good.replace('sends one request', 'is fast'), 13],
    ['an empty table', good.replace('Refunds are', '| a | b |\n|---|---|\n\nRefunds are'), 18],
  ])('with %s gets a warning', (_, text, line) => {
    const report = audit(text);
    expect(report.status).toBe('warn');
    expect(report.issues).toMatchObject([{ level: 'completeness', severity: 'warning', line }]);
  });

  test('that is too large gets a warning', () => {
    const many = Array.from({ length: 26 }, (_, n) => `- Requirement ${n}.`).join('\n');
    const report = audit(good.replace('- A payment takes at most 2 requests.', many));
    expect(report).toMatchObject({ status: 'warn', sizing: { estimatedTasks: 11, recommendation: 'split' } });
    expect(levels(report)).toEqual(['sizing warning 1']);
    expect(audit(good.replace('- A payment takes at most 2 requests.', many), { maxTasks: 11 }).status).toBe(
      'pass',
    );
  });
});

describe('specs of one feature', () => {
  const product: SpecFile = {
    path: 'specs/product/x.md',
    kind: 'prd',
    text: '# X\n\n## User flows\n\n### Refunding\n\n1. Ask.\n\n## Requirements\n\n- At most 8 retries, shown as "Try again".\n- Sent to `/pay`.\n',
  };
  const technical = `# X: technical design

> See [product spec](../product/x.md).

## Approach

It retries up to 10 times. Refunding goes the same way.

## Data model

No change.

## Interfaces

- \`POST /pay\`

## Failure cases

- It shows "Try again".

## Acceptance criteria

- [ ] One test for each.

## Files

- src/pay.ts: the retries
`;

  test('that differ in a number get a warning with the place in the other one', () => {
    const report = audit(technical, { kind: 'rfc', linked: [product] });
    expect(report).toMatchObject({ status: 'warn', linked: ['specs/product/x.md'] });
    expect(report.issues).toMatchObject([
      { level: 'cross-spec', message: expect.stringContaining('x.md:11 asks for 8') },
    ]);
    expect(audit(technical.replace('10 times', '8 times'), { kind: 'rfc', linked: [product] }).status).toBe(
      'pass',
    );
  });

  test('without a flow of the product spec get a warning', () => {
    const report = audit(technical.replace('10 times. Refunding', '8 times. It'), {
      kind: 'rfc',
      linked: [product],
    });
    expect(report.issues).toMatchObject([{ message: expect.stringContaining('"Refunding"') }]);
  });

  test('without a link to the product spec fail', () => {
    expect(audit(technical, { kind: 'rfc' }).issues[0]).toMatchObject({
      severity: 'error',
      message: expect.stringContaining('product spec'),
    });
  });

  test('a design must describe every state', () => {
    const { text } = newSpec('design', 'x', templateOf('design'));
    const report = audit(
      text.replaceAll(/\{[^}]*\}/g, 'A pane with one button. It is blue.').replace('- Empty:', '- Nothing:'),
      {
        kind: 'design',
        linked: [{ ...product, text: '# X\n' }],
      },
    );
    expect(report.issues).toMatchObject([
      { level: 'cross-spec', message: expect.stringContaining('"empty"') },
    ]);
  });
});

describe('a new spec', () => {
  test.each(['feature', 'prd', 'rfc', 'design', 'defect'] as const)(
    'of kind %s is refused unchanged, and only for its placeholders',
    (kind) => {
      const { path, text } = newSpec(kind, 'my-x', templateOf(kind));
      expect(text).toContain('# My X');
      expect(text).not.toContain('{Feature Name}');
      expect(nameOf(path)).toBe('my-x');
      const report = audit(text, {
        kind,
        linked: [{ path: 'specs/product/my-x.md', kind: 'prd', text: '# P\n' }],
      });
      expect(report.status).toBe('fail');
      const errors = report.issues.filter(({ severity }) => severity === 'error');
      expect(errors.filter(({ message }) => !message.includes('still to be filled in'))).toEqual([]);
    },
  );

  test.each(['My_X', '-x', 'x-', '', 'ü', '../x', 'a b'])('cannot be called %j', (name) => {
    expect(() => newSpec('prd', name, '')).toThrow(
      expect.objectContaining({ code: 'bad-name', exitCode: 3 }),
    );
  });
});
