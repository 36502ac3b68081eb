import { describe, expect, test } from 'vitest';
import { type DefectReport, defectStatuses, Triage } from '#schema/defect.ts';
import { draftSpec } from './draft.ts';
import { scopeChanges } from './scope.ts';
import { advance, isTerminal } from './states.ts';
import { readTriage, routeOf } from './triage.ts';

const triage = (more: object = {}) =>
  Triage.parse({
    isDefect: true,
    complexity: 'trivial',
    blastRadius: 'low',
    affectedFiles: ['a.ts'],
    ...more,
  });

describe('the status of a defect', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const defect = (status: string) => ({ status, history: [] }) as unknown as DefectReport;
  const allowed: Record<string, string[]> = {
    filed: ['triaging'],
    triaging: ['triaged', 'rejected', 'escalated'],
    triaged: ['reproducing', 'fixing', 'escalated'],
    reproducing: ['reproduced', 'escalated'],
    reproduced: ['fixing'],
    fixing: ['fixed', 'escalated'],
    fixed: ['reviewing', 'integrating'],
    reviewing: ['reviewed'],
    reviewed: ['integrating'],
    integrating: ['resolved'],
  };

  test.each(defectStatuses)('%s allows its next statuses and no others', (from) => {
    for (const to of defectStatuses) {
      const move = () => advance(defect(from), to, at);
      if (allowed[from]?.includes(to)) expect(move().status).toBe(to);
      else expect(move).toThrow(allowed[from] ? `valid: ${allowed[from].join(', ')}` : 'nothing follows it');
    }
  });

  test('resolved, rejected and escalated are final', () => {
    expect(defectStatuses.filter(isTerminal)).toEqual(['resolved', 'rejected', 'escalated']);
  });
});

describe('a triage', () => {
  test.each([
    [{}, 'trivial'],
    [{ affectedFiles: ['a', 'b'] }, 'moderate'],
    [{ blastRadius: 'medium' }, 'moderate'],
    [{ complexity: 'moderate' }, 'moderate'],
    [{ affectedFiles: ['a', 'b', 'c', 'd'] }, 'moderate'],
    [{ affectedFiles: ['a', 'b', 'c', 'd', 'e'] }, 'complex'],
    [{ blastRadius: 'high' }, 'complex'],
    [{ affectedFiles: [] }, 'complex'],
    [{ complexity: 'complex' }, 'complex'],
  ])('%j is %s, even if the agent calls it easier', (more, route) => {
    expect(routeOf(triage(more))).toBe(route);
  });

  test("is read in other tools' wording, and never names files outside the repository", () => {
    const text = `So: {"is_defect": true, "complexity": "trivial", "blast_radius": "low", "affected_files": ["a.ts", "../b", "/etc/x"]}`;
    expect(readTriage(text)).toMatchObject({ affectedFiles: ['a.ts'] });
    expect(readTriage('{"is_defect": "perhaps"}')).toBeNull();
    expect(readTriage('no')).toBeNull();
  });
});

test('a reproduction may add tests; a fix may change the named files', () => {
  const changed = [
    { path: 'src/a.ts', isNew: false },
    { path: 'src/a.test.ts', isNew: false },
    { path: 'src/new.test.ts', isNew: true },
    { path: 'src/b.ts', isNew: true },
    { path: 'package.json', isNew: false },
  ];
  expect(scopeChanges({ kind: 'reproduction' }, changed)).toEqual({
    kept: ['src/new.test.ts'],
    reverted: ['src/a.ts', 'src/a.test.ts', 'src/b.ts', 'package.json'],
  });
  expect(scopeChanges({ kind: 'fix', affected: ['src/a.ts'] }, changed)).toEqual({
    kept: ['src/a.ts', 'src/new.test.ts', 'package.json'],
    reverted: ['src/a.test.ts', 'src/b.ts'],
  });
});

test('a complex defect becomes the draft of a product spec', () => {
  const text =
    '# Login loops\n\n## Observed behaviour\n\nIt loops.\n\n## Expected behaviour\n\n- It ends.\n\n## Steps to reproduce\n\n1. Log in.\n\n## Related feature\n\nLogin.\n';
  const draft = draftSpec({ path: 'specs/defects/login.md', text }, triage());
  expect(draft).toMatch(/## Problem\n\nIt loops\.\n/);
  expect(draft).toMatch(/## Success criteria\n\n- It ends\.\n/);
  expect(draft).toMatch(/### To reproduce\n\n1\. Log in\.\n/);
  expect(draft).toMatch(/## Dependencies\n\nLogin\.\n- `a\.ts`\n/);
});
