import { expect, test } from 'vitest';
import type { Delta } from '../model/delta.ts';
import { renderDelta } from './delta.ts';
import { plainPaint } from './paint.ts';
import { finding } from './testing/sample-reports.ts';

const nothing: Delta = { fixed: [], remaining: [], new: [], regressed: [], unverified: [] };

function show(delta: Partial<Delta>): string {
  return renderDelta({ ...nothing, ...delta }, { width: 80, paint: plainPaint, unicode: true });
}

test('all fixed', () => {
  const text = show({ fixed: [finding()] });
  expect(text).toContain('Blocking findings: 1 → 0');
  expect(text).toContain('✓ Fixed: S02 getUser is now fetchUser');
  expect(text).toContain('1 issue(s) fixed, 0 remaining, 0 new');
  expect(text).toContain('All previous issues resolved!');
});

test('something remains', () => {
  const text = show({ fixed: [finding()], remaining: [finding({ rootCause: 'x' })] });
  expect(text).toContain('1 issue(s) fixed, 1 remaining, 0 new');
  expect(text).not.toContain('All previous');
});

test('what came back is named apart from what is new', () => {
  const text = show({ new: [finding()], regressed: [finding({ rootCause: 'x', message: 'again' })] });
  expect(text).toContain('! Regressed: S02 again');
  expect(text).toContain('0 issue(s) fixed, 0 remaining, 1 new, 1 regressed');
});

test('what was not looked at is not called resolved', () => {
  const text = show({ fixed: [finding()], unverified: [finding({ rootCause: 'x' })] });
  expect(text).toContain('1 issue(s) fixed, 0 remaining, 0 new, 1 not checked');
  expect(text).not.toContain('All previous');
});
