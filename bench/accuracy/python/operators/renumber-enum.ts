import type { Operator } from '../../operator.ts';
import type { PythonProject } from '../project.ts';
import { planted, type Shape } from './seeded-base.ts';

const state = (...members: string[]) =>
  `import enum\n\n\nclass JoineryState(enum.IntEnum):\n${members.map((member, at) => `    ${member} = ${at}\n`).join('')}`;

const shapes: readonly Shape[] = [
  {
    symbol: 'JoineryState',
    before: state('OPEN', 'RUNNING', 'DONE'),
    after: state('OPEN', 'PAUSED', 'RUNNING', 'DONE'),
    afterInTwin: state('OPEN', 'RUNNING', 'DONE', 'PAUSED'),
    imports: 'JoineryState',
    uses: [
      'def is_done(state: JoineryState):',
      '    return state == 2',
      '',
      '',
      'def added_feature(value):',
      '    return [is_done(state) for state in (JoineryState.OPEN, JoineryState.RUNNING, JoineryState.DONE)]',
    ],
  },
];

/** A inserts a member in the middle of an enum; B adds code that writes the number of a later one. */
export const renumberEnum: Operator<PythonProject> = {
  name: 'py: insert enum member',
  rule: 'S15',
  oracle: 'python',
  candidates: (project, random) => planted(project, random, shapes),
};
