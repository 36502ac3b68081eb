import { expect, test } from 'vitest';
import { RawFinding } from '#schema/triage.ts';
import { auditRouteFor } from './audit-route.ts';

const finding = (more: object) =>
  RawFinding.parse({
    ...{
      id: 'f',
      fingerprint: 'f',
      severity: 'blocking',
      category: 'logic',
      file: 'a',
      issue: 'x',
      reviewers: ['r'],
    },
    ...more,
  });

test('only an objection that holds leads to an audit, and architecture has its own audit', () => {
  expect(auditRouteFor([])).toBeNull();
  expect(auditRouteFor([finding({ severity: 'important', category: 'architecture' })])).toBeNull();
  expect(auditRouteFor([finding({ unverified: 'not there' })])).toBeNull();
  expect(auditRouteFor([finding({})])).toBe('production');
  expect(auditRouteFor([finding({}), finding({ category: 'Architecture' })])).toBe('architecture');
  expect(auditRouteFor([finding({}), finding({ category: 'architecture', severity: 'minor' })])).toBe(
    'production',
  );
});
