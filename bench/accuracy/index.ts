import { join } from 'node:path';
import { ruleById } from '#schema/rules.ts';
import type { BenchOptions, Part } from '../part.ts';
import { inScratch, measureRules } from './measure-rules.ts';
import { notSeeded, operators } from './operators/index.ts';
import { judge } from './oracles/index.ts';
import { openProject, projectPlans } from './project.ts';
import { specificity } from './specificity.ts';

export const accuracy: Part = {
  name: 'accuracy',
  summary: 'seeded conflicts that a type checker or a run confirms, their benign twins, and real histories',
  run: runAccuracy,
};

async function runAccuracy(options: BenchOptions): Promise<string> {
  return inScratch(async (folder) =>
    [
      await measureRules(
        folder,
        {
          part: 'accuracy',
          plans: projectPlans,
          open: openProject,
          operators,
          judge,
          language: 'typescript',
          scenarios: { small: 6, full: 16 },
        },
        options,
      ),
      '',
      ...notSeeded.map(({ rule, reason }) => `not seeded: ${rule} ${ruleById(rule).name}: ${reason}`),
      ...(options.rules.length === 0 ? ['', await specificity(join(folder, 'cache'), options.full)] : []),
    ].join('\n'),
  );
}
