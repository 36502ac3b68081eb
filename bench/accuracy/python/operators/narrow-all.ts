import type { Operator } from '../../operator.ts';
import type { PythonProject } from '../project.ts';
import { planted, type Shape } from './seeded-base.ts';

const names = (...listed: string[]) =>
  `def joinery_public():\n    return 1\n\n\ndef joinery_other():\n    return 2\n\n\n__all__ = [${listed.map((name) => `'${name}'`).join(', ')}]\n`;

const shapes: readonly Shape[] = [
  {
    symbol: 'joinery_public',
    before: names('joinery_public', 'joinery_other'),
    after: names('joinery_other'),
    afterInTwin: names('joinery_public'),
    imports: '*',
    uses: ['def added_feature(value):', '    return joinery_public()'],
  },
];

/** A removes a name from `__all__`; B adds a star import that needs it. */
export const narrowAll: Operator<PythonProject> = {
  name: 'py: drop from __all__',
  rule: 'S13',
  oracle: 'python',
  candidates: (project, random) => planted(project, random, shapes),
};
