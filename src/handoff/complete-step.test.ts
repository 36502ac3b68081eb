import { describe, expect, test } from 'vitest';
import { exampleHandoff } from '#schema/handoff.ts';
import { type AttemptFacts, completeStep } from './complete-step.ts';
import { reviewHandoff } from './review-handoff.ts';

const facts: AttemptFacts = {
  step: 'a',
  attempt: 1,
  outcome: 'ok',
  reason: '',
  incidents: [],
  changedFiles: ['src/a.ts'],
  verified: { checks: [], findings: [] },
};
const handoff = { ...exampleHandoff('r', 'a', 1, 'developer'), files: ['src/a.ts'] };

function checks(more: Partial<AttemptFacts> = {}, claimed = handoff.files): Record<string, string> {
  const { events } = completeStep(
    { ...facts, ...more },
    { handoff: { ...handoff, files: claimed }, notes: '' },
  );
  const [event] = events;
  return event?.type === 'attempt.ended'
    ? Object.fromEntries(event.data.checks.map(({ name, status }) => [name, status]))
    : {};
}

describe('completing a step', () => {
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

  test('follows what was found out about the work: only what blocks asks for another attempt', () => {
    const judged = (severity: 'blocking' | 'important') => {
      const findings = [{ fingerprint: 'x', severity, message: 'x' }];
      return completeStep({ ...facts, verified: { checks: [], findings } }, { handoff, notes: '' }).verdict;
    };
    expect(judged('blocking')).toBe('revise');
    expect(judged('important')).toBe('approve');
  });

  test('of an agent that is blocked goes to a person at once', () => {
    const blocked = { ...handoff, status: 'blocked' as const, blocker: 'which port?' };
    expect(completeStep(facts, { handoff: blocked, notes: '' }).verdict).toBe('uncertain');
  });

  test('remarks what was done besides the work, and stops at what spoils it', () => {
    const incident = { kind: 'committed', detail: 'by itself', isBlocking: false } as const;
    expect(checks()).toMatchObject({ conduct: 'pass' });
    expect(checks({ incidents: [incident] })).toMatchObject({ committed: 'warn' });
    const moved = { kind: 'switched-branch', detail: 'to main', isBlocking: true } as const;
    const { events, verdict } = completeStep(
      { ...facts, incidents: [incident, moved] },
      { handoff, notes: '' },
    );
    expect(verdict).toBe('revise');
    expect(events).toMatchObject([
      { data: { findings: [{ fingerprint: 'switched-branch:fail', message: 'to main' }] } },
    ]);
  });

  test('remarks what was done besides the work of an attempt that failed, too', () => {
    const incident = { kind: 'left-processes', detail: 'sleep', isBlocking: false } as const;
    for (const outcome of ['limit', 'timeout', 'crashed', 'denied'] as const)
      expect(checks({ outcome, incidents: [incident] })).toMatchObject({ 'left-processes': 'warn' });
  });

  test('needs more than fifty characters of notes when there is no handoff', () => {
    expect(completeStep(facts, { handoff: null, notes: 'x'.repeat(51) })).toMatchObject({
      quality: 'partial',
      verdict: 'approve',
    });
    expect(completeStep(facts, { handoff: null, notes: 'x'.repeat(50) })).toMatchObject({
      quality: 'fallback',
      verdict: 'uncertain',
    });
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
    artifacts: new Map([['plan', ['task']]]),
    fileExists: (path: string) => path === 'src/a.ts',
  };

  test('takes JSON as text or value', () => {
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
      validSections: ['plan', 'plan#task'],
    });
    if (!review.ok) expect(reviewHandoff(review.example, context).ok).toBe(true);
  });

  test.each(['text', 7, null, [], '{"v":1'])('refuses %j without falling over', (raw) => {
    expect(reviewHandoff(raw, context).ok).toBe(false);
  });
});
