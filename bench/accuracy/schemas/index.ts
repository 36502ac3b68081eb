import type { Part } from '../../part.ts';
import { groundPlans, openGround } from '../coherence/ground.ts';
import { inScratch, measureRules } from '../measure-rules.ts';
import { descriptions } from './descriptions.ts';
import { judgeSchemas } from './judge.ts';
import { migrations } from './migrations.ts';
import { routes } from './routes.ts';
import { shapes } from './shapes.ts';
import { sql } from './sql.ts';

const projects = new Set(['mobx', '@tanstack/query-core', 'msw']);

export const accuracySchemas: Part = {
  name: 'accuracy-schemas',
  summary:
    'tables, descriptions, routes, migrations and shapes: seeded conflicts that their own programs refuse, and twins',
  run: (options) =>
    inScratch((folder) =>
      measureRules(
        folder,
        {
          part: 'accuracy-schemas',
          plans: groundPlans.filter((plan) => projects.has(plan.package)),
          open: openGround,
          operators: [...sql, ...descriptions, ...routes, ...migrations, ...shapes],
          judge: judgeSchemas,
          language: 'typescript',
          scenarios: { small: 6, full: 18 },
        },
        { ...options, types: false },
      ),
    ),
};
