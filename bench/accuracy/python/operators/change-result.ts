import type { Operator } from '../../operator.ts';
import type { PythonProject } from '../project.ts';
import { planted, type Shape } from './seeded-base.ts';

const split = (result: string) =>
  `def joinery_split(text):\n    head, _, tail = str(text).partition(':')\n    return ${result}\n`;

const shapes: readonly Shape[] = [
  {
    symbol: 'joinery_split',
    before: split('head, tail'),
    after: split('head, tail, len(tail)'),
    afterInTwin: split('head.strip(), tail'),
    imports: 'joinery_split',
    uses: ['def added_feature(value):', "    head, tail = joinery_split('a:b')", '    return head + tail'],
  },
];

/** A returns three values instead of two; B adds a call that takes two. */
export const changeResult: Operator<PythonProject> = {
  name: 'py: result has another form',
  rule: 'S07',
  oracle: 'python',
  candidates: (project, random) => planted(project, random, shapes),
};
