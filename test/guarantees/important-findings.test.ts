import { expect, test } from 'vitest';
import { eventLine } from '#app/runs/event-line.ts';
import { judgeClashes } from '#crew/steer/judge-clashes.ts';
import { finding } from '#report/testing/sample-reports.ts';
import type { RunEvent } from '#schema/event.ts';

const company = { task: 'api', ref: 'feat/b', accepted: null, inFlight: new Map<string, string>() };

test('an important finding keeps nothing out and is told; a minor, an accepted and another task’s one are not', () => {
  const important = finding({ id: 'a'.repeat(16), severity: 'important', effect: 'shown' });
  const findings = [
    important,
    finding({ id: 'b'.repeat(16), severity: 'minor', effect: 'shown' }),
    finding({ id: 'c'.repeat(16), effect: 'shown', accepted: 'it goes in May' }),
    finding({ id: 'd'.repeat(16), severity: 'important', effect: 'shown', branches: ['feat/a', 'feat/c'] }),
  ];
  const { own, told, accepted, shown } = judgeClashes({ findings }, company);
  expect({ own, told, accepted }).toEqual({ own: [], told: [], accepted: [] });
  expect(shown.map(({ id }) => id)).toEqual([important.id]);
});

test('the log of the run says it', () => {
  const clash = {
    id: 'a'.repeat(16),
    rule: 'C10',
    message: 'the model says name, GraphQL says display_name',
    tasks: ['api'],
    owner: null,
    sites: [],
    witness: { command: '', output: '' },
    suggestion: '',
  };
  const data = {
    commit: '1'.repeat(40),
    against: [],
    status: 'pass' as const,
    clashes: [],
    shown: [clash],
    delta: { before: 0, fixed: 0, remaining: 0, new: 0 },
  };
  const event = { type: 'step.checked', at: '2026-01-01T10:00:00.000Z', step: 'api', attempt: 1, data };
  const line = eventLine(event as unknown as RunEvent);
  expect(line).toContain('important: ');
  expect(line).toContain('display_name');
});
