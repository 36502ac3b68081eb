import type { Operator } from '../operator.ts';
import { planted, type Shape } from './seeded-base.ts';

const state = (...members: string[]) =>
  `export enum JoineryState {\n${members.map((member) => `  ${member},\n`).join('')}}\n`;

const stages = {
  symbol: 'JoineryState',
  before: state('Open', 'Running', 'Done'),
  after: state('Open', 'Paused', 'Running', 'Done'),
  afterInTwin: state('Open', 'Running', 'Done', 'Paused'),
};
const comparing = (expression: string) => (from: string) =>
  `import { JoineryState } from '${from}';\n\nfunction isDone(state: JoineryState) {\n  return ${expression};\n}\n\nexport function addedFeature() {\n  return [JoineryState.Open, JoineryState.Running, JoineryState.Done].map(isDone);\n}\n`;

const shapes: readonly Shape[] = [
  { ...stages, uses: comparing('state === 2') },
  { ...stages, uses: comparing('state !== 1') },
  {
    ...stages,
    uses: (from) =>
      `import { JoineryState } from '${from}';\n\nexport function addedFeature() {\n  return JoineryState[2];\n}\n`,
  },
];

/** A inserts a member in the middle of an enum; B adds code that writes the number of a later one. */
export const renumberEnum: Operator = {
  name: 'insert enum member',
  rule: 'S15',
  oracle: 'run',
  candidates: (project, random) => planted(project, random, shapes),
};
