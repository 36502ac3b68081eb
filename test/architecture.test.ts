import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Boundaries, surveyImports } from './import-boundaries.ts';

const GROUND = ['model', 'git', 'code'];

/** Who may import whom. The folders are the architecture; this table is its only enforcement. */
const BOUNDARIES: Boundaries = {
  model: [],
  process: [],
  git: ['model'],
  code: ['model', 'git'],
  seams: [...GROUND, 'process'],
  handoff: GROUND,
  evidence: [...GROUND, 'process'],
  workflow: GROUND,
  agents: [...GROUND, 'process', 'handoff'],
  review: [...GROUND, 'agents'],
  planning: [...GROUND, 'agents'],
  integrate: [...GROUND, 'seams', 'evidence'],
  engine: [
    ...GROUND,
    'process',
    'seams',
    'handoff',
    'evidence',
    'workflow',
    'agents',
    'review',
    'planning',
    'integrate',
  ],
  report: ['model'],
  server: ['*'],
  cli: ['*'],
};

function at(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

describe('import boundaries', () => {
  const survey = surveyImports(at('../src'), BOUNDARIES);

  test('no module imports another room than those it may', () => {
    expect(survey.violations).toEqual([]);
  });

  test('the survey looked at modules', () => {
    expect(survey.modules).toBeGreaterThan(0);
  });
});

describe('the survey itself', () => {
  const survey = surveyImports(at('fixtures/boundaries'), { lower: [], upper: ['lower'] });

  test('names every way of importing that crosses a boundary, and nothing else', () => {
    expect([...survey.violations].sort()).toEqual([
      'lower/dynamic.ts imports ../upper/house.ts: lower may not import upper',
      'lower/inline-type.ts imports ../upper/house.ts: lower may not import upper',
      'lower/outside.ts imports ../../secrets.ts: it leaves the sources',
      'lower/re-export.ts imports ../upper/house.ts: lower may not import upper',
      'lower/static.ts imports ../upper/house.ts: lower may not import upper',
      'lower/type.ts imports ../upper/house.ts: lower may not import upper',
      'stray/lost.ts imports ../lower/ground.ts: stray is not a room',
    ]);
  });

  test('counts what it read', () => {
    expect(survey.modules).toBe(9);
  });
});
