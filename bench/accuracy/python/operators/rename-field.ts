import type { Operator } from '../../operator.ts';
import type { PythonProject } from '../project.ts';
import { planted, type Shape } from './seeded-base.ts';

const item = (field: string, more = '') =>
  `class JoineryItem:\n    def __init__(self, text):\n        self.${field} = text\n${more}`;

const shapes: readonly Shape[] = [
  {
    symbol: 'JoineryItem',
    before: item('label'),
    after: item('title'),
    afterInTwin: item('label', '        self.size = len(text)\n'),
    imports: 'JoineryItem',
    uses: [
      'def describe(item: JoineryItem):',
      '    return item.label',
      '',
      '',
      'def added_feature(value):',
      "    return describe(JoineryItem('x'))",
    ],
  },
];

/** A renames a field of a class; B adds code that reads the old one. */
export const renameField: Operator<PythonProject> = {
  name: 'py: rename field',
  rule: 'S10',
  oracle: 'python',
  candidates: (project, random) => planted(project, random, shapes),
};
