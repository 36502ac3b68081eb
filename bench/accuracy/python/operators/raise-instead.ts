import type { Operator } from '../../operator.ts';
import type { PythonProject } from '../project.ts';
import { planted, type Shape } from './seeded-base.ts';

const find = (failing: string, parameter = 'key') =>
  `JOINERY_LABELS = {'open': 'Open'}\n\n\ndef joinery_label(${parameter}):\n    if ${parameter} not in JOINERY_LABELS:\n        ${failing}\n    return JOINERY_LABELS[${parameter}]\n`;

const shapes: readonly Shape[] = [
  {
    symbol: 'joinery_label',
    before: find('return None'),
    after: find('raise KeyError(key)'),
    afterInTwin: find('return None', 'name'),
    imports: 'joinery_label',
    uses: [
      'def added_feature(value):',
      "    found = joinery_label('missing')",
      '    if found is None:',
      "        return 'none'",
      '    return found',
    ],
  },
];

/** A raises where a function returned None; B adds a call that expects None. */
export const raiseInstead: Operator<PythonProject> = {
  name: 'py: raise instead of None',
  rule: 'S09',
  oracle: 'python',
  candidates: (project, random) => planted(project, random, shapes),
};
