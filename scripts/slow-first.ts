import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest first: a slow file that starts last keeps one core waiting. */
export const slowFiles = [
  'test/rules/every-scenario.test.ts',
  'test/rules/scenarios.test.ts',
  'test/guarantees/bounded.test.ts',
  'test/guarantees/contained-checkers.test.ts',
  'test/cli/gates.test.ts',
  'test/cli/run.test.ts',
  'test/cli/check.test.ts',
  'test/guarantees/engine-crash.test.ts',
  'src/crew/task/steps/verify-attempt.test.ts',
];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = slowFiles.findIndex((name) => moduleId.endsWith(name));
      return at < 0 ? slowFiles.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
