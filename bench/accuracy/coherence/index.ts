import type { Part } from '../../part.ts';
import { inScratch, measureRules } from '../measure-rules.ts';
import { duplicates } from './duplicates.ts';
import { graph } from './graph.ts';
import { type GroundPlan, groundPlans, openGround } from './ground.ts';
import { judgeCoherence } from './judge.ts';
import { names } from './names.ts';
import { settings } from './settings.ts';
import { wiring } from './wiring.ts';

const operators = [...names, ...duplicates, ...wiring, ...settings, ...graph];

function partOf(name: string, language: GroundPlan['language'], full: number): Part {
  return {
    name,
    summary: `names, duplicates, wiring, settings and risk: seeded into ${language === 'python' ? 'Python' : 'TypeScript'} projects, and twins`,
    run: (options) =>
      inScratch((folder) =>
        measureRules(
          folder,
          {
            part: name,
            plans: groundPlans.filter((plan) => plan.language === language),
            open: openGround,
            operators,
            judge: judgeCoherence,
            language,
            scenarios: { small: 2, full },
          },
          { ...options, types: false },
        ),
      ),
  };
}

/** More than the 30 findings per rule that a precision needs, two fifths of them in Python. */
export const accuracyCoherence = partOf('accuracy-coherence', 'typescript', 20);
export const accuracyCoherencePython = partOf('accuracy-coherence-python', 'python', 14);
