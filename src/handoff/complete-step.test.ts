import { describe, expect, test } from 'vitest';
import { exampleHandoff } from '#schema/handoff.ts';
import { type AttemptFacts, completeStep } from './complete-step.ts';
import { openRegistry } from './contracts/built-in.ts';
import { reviewHandoff } from './forms/review-handoff.ts';
import type { Library } from './library.ts';

const library: Library = {
  artifacts: new Map([
    ['plan', { sha256: '0'.repeat(64), sections: ['task'], madeBy: null }],
    ['handoff/d', { sha256: '1'.repeat(64), sections: ['decisions'], madeBy: 'd' }],
  ]),
  file: (path) => {
    if (path === 'src/a.ts') return { text: 'export const a = 1;\n' };
    return path === 'src/d.ts' ? { text: null } : null;
  },
  changedBy: (path) => (path === 'src/d.ts' ? 'd' : null),
};

const facts: AttemptFacts = {
  step: 'a',
  attempt: 1,
  outcome: 'ok',
  reason: '',
  incidents: [],
  changedFiles: ['src/a.ts'],
  verified: { checks: [], findings: [] },
  library,
  addressees: new Set(['b', 'developer']),
  dependsOn: [],
};
const handoff = { ...exampleHandoff('r', 'a', 1, 'developer'), files: ['src/a.ts'] };

function checks(more: Partial<AttemptFacts> = {}, claimed = handoff.files): Record<string, string> {
  const { events } = completeStep(
    { ...facts, ...more },
    { handoff: { ...handoff, files: claimed }, notes: '' },
  );
  const event = events.at(-1);
  return event?.type === 'attempt.ended'
    ? Object.fromEntries(event.data.checks.map(({ name, status }) => [name, status]))
    : {};
}

describe('completing a step', () => {
  test('a crashed agent and unreadable work are two different problems', () => {
    const problems = (more: Partial<AttemptFacts>) => {
      const { events } = completeStep(
        { ...facts, ...more, outcome: 'crashed' },
        { handoff: null, notes: '' },
      );
      const event = events.at(-1);
      return event?.type === 'attempt.ended' ? event.data.findings.map(({ fingerprint }) => fingerprint) : [];
    };
    expect(problems({})).toEqual(problems({ reason: 'told otherwise' }));
    expect(problems({ isUnreadable: true })).not.toEqual(problems({}));
  });

  test('with a valid handoff and the expected change is approved', () => {
    expect(completeStep(facts, { handoff, notes: '' })).toMatchObject({
      quality: 'full',
      verdict: 'approve',
    });
  });

  test('compares claims with facts', () => {
    expect(checks({}, ['src/invented.ts'])).toMatchObject({ 'claimed-files': 'warn' });
    expect(checks({}, ['src/a.ts'])).toMatchObject({ 'claimed-files': 'pass' });
  });

  test('follows the checks of the work: only blocking findings cause another attempt', () => {
    const judged = (severity: 'blocking' | 'important') => {
      const findings = [{ fingerprint: 'x', severity, message: 'x' }];
      return completeStep({ ...facts, verified: { checks: [], findings } }, { handoff, notes: '' }).verdict;
    };
    expect(judged('blocking')).toBe('revise');
    expect(judged('important')).toBe('approve');
  });

  test('of a blocked agent goes to a person at once', () => {
    const blocked = { ...handoff, status: 'blocked' as const, blocker: 'which port?' };
    expect(completeStep(facts, { handoff: blocked, notes: '' }).verdict).toBe('uncertain');
  });

  test('reports misconduct, and fails if it spoils the work', () => {
    const incident = { kind: 'committed', detail: 'by itself', isBlocking: false } as const;
    expect(checks()).toMatchObject({ conduct: 'pass' });
    expect(checks({ incidents: [incident] })).toMatchObject({ committed: 'warn' });
    const moved = { kind: 'switched-branch', detail: 'to main', isBlocking: true } as const;
    const { events, verdict } = completeStep(
      { ...facts, incidents: [incident, moved] },
      { handoff, notes: '' },
    );
    expect(verdict).toBe('revise');
    expect(events.at(-1)).toMatchObject({
      data: { findings: [{ fingerprint: 'switched-branch:fail', message: 'to main' }] },
    });
  });

  test('reports misconduct of a failed attempt too', () => {
    const incident = { kind: 'left-processes', detail: 'sleep', isBlocking: false } as const;
    for (const outcome of ['limit', 'timeout', 'crashed', 'denied'] as const)
      expect(checks({ outcome, incidents: [incident] })).toMatchObject({ 'left-processes': 'warn' });
  });

  test('needs more than fifty characters of notes if there is no handoff', () => {
    expect(completeStep(facts, { handoff: null, notes: 'x'.repeat(51) })).toMatchObject({
      quality: 'partial',
      verdict: 'approve',
    });
    expect(completeStep(facts, { handoff: null, notes: 'x'.repeat(50) })).toMatchObject({
      quality: 'fallback',
      verdict: 'uncertain',
    });
  });

  test.each([
    ['partial', {}, 'x'.repeat(51), 'partial approve'],
    [
      'partial, to be escalated',
      { policy: { partial: 'escalate', fallback: 'escalate' } },
      'x'.repeat(51),
      'partial uncertain',
    ],
    [
      'partial, tried again',
      { policy: { partial: 'retry_once', fallback: 'escalate' } },
      'x'.repeat(51),
      'partial revise',
    ],
    [
      'partial again',
      { policy: { partial: 'retry_once', fallback: 'escalate' }, retriedFrom: 'partial' },
      'x'.repeat(51),
      'partial approve',
    ],
    [
      'fallback, tried again',
      { policy: { partial: 'proceed', fallback: 'retry_once' } },
      '',
      'fallback revise',
    ],
    [
      'fallback again',
      { policy: { partial: 'proceed', fallback: 'retry_once' }, retriedFrom: 'fallback' },
      '',
      'fallback uncertain',
    ],
    [
      'worse than before',
      { policy: { partial: 'retry_once', fallback: 'retry_once' }, retriedFrom: 'partial' },
      '',
      'partial approve',
    ],
  ] as const)('without a handoff follows the policy: %s', (_name, more, notes, expected) => {
    const { quality, verdict } = completeStep({ ...facts, ...more }, { handoff: null, notes });
    expect(`${quality} ${verdict}`).toBe(expected);
  });

  test('that is retried for its handoff says what was missing', () => {
    const policy = { partial: 'proceed', fallback: 'retry_once' } as const;
    const { events } = completeStep({ ...facts, policy }, { handoff: null, notes: '' });
    expect(JSON.stringify(events)).toContain('finish with the handoff block');
  });

  test('waits for a person if reviewers could not decide', () => {
    const verified = { checks: [], findings: [], isUndecided: true };
    expect(completeStep({ ...facts, verified }, { handoff, notes: '' }).verdict).toBe('uncertain');
  });

  test('of an agent that did not finish is never approved', () => {
    for (const outcome of ['limit', 'api_error', 'timeout', 'crashed'] as const) {
      expect(completeStep({ ...facts, outcome }, { handoff, notes: '' }).verdict).toBe('revise');
    }
    expect(completeStep({ ...facts, outcome: 'denied' }, { handoff, notes: '' }).verdict).toBe('uncertain');
    expect(
      completeStep({ ...facts, outcome: 'interrupted' }, { handoff: null, notes: '' }).verdict,
    ).toBeNull();
  });

  test('records whose work was cited, and what is odd about the handoff', () => {
    const claim = {
      ...handoff,
      consumed: [
        { ref: { artifact: 'handoff/d', section: 'decisions' }, usedFor: 'x' },
        { ref: { artifact: 'src/d.ts' }, usedFor: 'x' },
        { ref: { artifact: 'plan', section: 'task' }, usedFor: 'x' },
      ],
      produced: [{ ref: { artifact: 'src/a.ts' }, to: ['b', 'nobody'] }],
      files: ['src/a.ts', 'src/invented.ts'],
    };
    const [recorded] = completeStep(facts, { handoff: claim, notes: '', form: 'markdown' }).events;
    expect(recorded).toMatchObject({
      type: 'handoff.recorded',
      data: {
        form: 'markdown',
        edges: [
          { from: 'd', to: 'a', ref: 'handoff/d#decisions', sha256: '1'.repeat(64) },
          { from: 'd', to: 'a', ref: 'src/d.ts', sha256: null },
        ],
        findings: [{ flag: 'UNKNOWN_ADDRESSEE' }, { flag: 'MISSING_FILE' }],
      },
    });
    const alone = completeStep({ ...facts, dependsOn: ['d'] }, { handoff, notes: '' }).events[0];
    expect(alone).toMatchObject({ data: { edges: [], findings: [{ flag: 'ORPHAN' }] } });
  });

  test('gives problems fingerprints that do not depend on wording', () => {
    const print = (reason: string) =>
      JSON.stringify(
        completeStep({ ...facts, outcome: 'crashed', reason }, { handoff, notes: '' }).events,
      ).match(/"fingerprint":"[^"]*"/g);
    expect(print('one way to say it')).toEqual(print('another'));
  });
});

describe('reviewing a handoff', () => {
  const context = {
    run: 'r',
    step: 'a',
    attempt: 1,
    role: 'developer',
    library,
    contracts: openRegistry(),
  };

  test('accepts JSON as text or value', () => {
    expect(reviewHandoff(handoff, context).ok).toBe(true);
    expect(reviewHandoff(JSON.stringify(handoff), context).ok).toBe(true);
  });

  test('names every problem, what may be cited, and an example that is accepted', () => {
    const cited = {
      ...handoff,
      step: 'b',
      consumed: [
        { ref: { artifact: 'plan', section: 'nope' }, usedFor: '' },
        { ref: { artifact: 'ghost' }, usedFor: '' },
      ],
    };
    const review = reviewHandoff(cited, context);
    expect(review).toMatchObject({
      ok: false,
      problems: [
        'step: expected "a"',
        'consumed.0.ref: plan has no section "nope"',
        'consumed.1.ref: there is no artifact or file "ghost"',
      ],
      validSections: ['plan', 'plan#task', 'handoff/d', 'handoff/d#decisions'],
    });
    if (!review.ok) expect(reviewHandoff(review.example, context).ok).toBe(true);
  });

  test.each([
    [{ artifact: 'src/a.ts' }, null],
    [{ artifact: 'src/a.ts', section: 'a' }, null],
    [{ artifact: 'src/a.ts', section: 'L1' }, null],
    [{ artifact: 'src/a.ts', lines: [1, 1] }, null],
    [{ artifact: 'src/d.ts', section: 'unknown', lines: [9, 9] }, null],
    [{ artifact: 'src/a.ts', section: 'L2' }, 'src/a.ts has no section "L2"'],
    [{ artifact: 'src/a.ts', section: 'b' }, 'src/a.ts has no section "b"'],
    [{ artifact: 'src/a.ts', lines: [1, 2] }, 'src/a.ts has 1 lines, not 1-2'],
    [{ artifact: 'src/c.ts' }, 'there is no artifact or file "src/c.ts"'],
  ] as const)('looks up %j', (ref, problem) => {
    const review = reviewHandoff({ ...handoff, consumed: [{ ref, usedFor: 'x' }] }, context);
    expect(review.ok ? null : review.problems).toEqual(
      problem === null ? null : [`consumed.0.ref: ${problem}`],
    );
  });

  const record = [
    'Done.',
    '## Handoff Record',
    '### Inputs consumed',
    '- `handoff/d#decisions` → followed',
    '### Outputs for next agents',
    '- `src/a.ts#L1` → b + reviewer (please look)',
    '### Decisions NOT covered by inputs',
    '- Used a map. Reason: it is faster',
  ].join('\n');

  test('accepts a Markdown record', () => {
    expect(reviewHandoff(record, context)).toMatchObject({
      ok: true,
      form: 'markdown',
      handoff: {
        step: 'a',
        consumed: [{ ref: { artifact: 'handoff/d', section: 'decisions' }, usedFor: 'followed' }],
        produced: [{ to: ['b', 'reviewer'] }],
        decisions: [{ what: 'Used a map', why: 'it is faster' }],
      },
    });
  });

  test('names every wrong line of a record', () => {
    const wrong = record
      .replace(' → followed', ' -> followed')
      .replace('### Decisions NOT covered by inputs', '### Decisions');
    expect(reviewHandoff(wrong, context)).toMatchObject({
      ok: false,
      problems: [
        'record: there is no line "### Decisions NOT covered by inputs"',
        'line 4: cannot be read: - `handoff/d#decisions` -> followed',
      ],
    });
    expect(reviewHandoff(record.replace('#decisions', '#reasons'), context)).toMatchObject({
      problems: ['consumed.0.ref: handoff/d has no section "reasons"'],
    });
  });

  test('accepts the typed handoff of a phase, and says what is wrong with it', () => {
    const coding = {
      kind: 'wr.coding_handoff',
      version: 1,
      keyDecisions: ['x'],
      knownLimitations: [],
      testsAdded: [],
      filesChanged: ['src/a.ts'],
    };
    expect(reviewHandoff(coding, context)).toMatchObject({
      ok: true,
      form: 'typed',
      handoff: { files: ['src/a.ts'], decisions: [{ what: 'x' }], typed: coding },
    });
    expect(reviewHandoff({ ...coding, version: 2 }, context)).toMatchObject({ ok: false });
    expect(reviewHandoff({ kind: 'nobody.knows' }, context)).toMatchObject({
      problems: ['kind: there is no contract "nobody.knows"'],
    });
    expect(reviewHandoff({ ...handoff, typed: { kind: 'wr.loop_control' } }, context)).toMatchObject({
      ok: false,
    });
  });

  test.each(['text', 7, null, [], '{"v":1'])('refuses %j without throwing', (raw) => {
    expect(reviewHandoff(raw, context).ok).toBe(false);
  });
});
