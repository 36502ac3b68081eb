import type { BenchOptions, Part } from '../../part.ts';
import { inScratch, measureRules } from '../measure-rules.ts';
import { pythonOperators } from './operators/index.ts';
import { judgePython } from './oracle.ts';
import { openPythonProject, pythonPlans } from './project.ts';

export const accuracyPython: Part = {
  name: 'accuracy-python',
  summary: 'conflicts seeded into Python packages of Debian that a run confirms, and their benign twins',
  run: (options: BenchOptions) =>
    inScratch((folder) =>
      measureRules(
        folder,
        {
          part: 'accuracy-python',
          plans: pythonPlans,
          open: openPythonProject,
          operators: pythonOperators,
          judge: judgePython,
          language: 'python',
        },
        options,
      ),
    ),
};
