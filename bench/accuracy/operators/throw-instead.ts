import type { Operator } from '../operator.ts';
import { planted, type Shape } from './seeded-base.ts';

const labels = "const joineryLabels: Record<string, string> = { open: 'Open', done: 'Done' };\n\n";
const find = (failing: string, open = 'key') =>
  `${labels}export function findLabel(${open}: string) {\n  if (!(${open} in joineryLabels)) {\n    ${failing}\n  }\n  return joineryLabels[${open}];\n}\n`;
const read = (failing: string, rest = '') =>
  `export function readPort(text: string) {\n  const port = Number(text);\n  if (Number.isNaN(port)) {\n    ${failing}\n  }\n  return { port${rest} };\n}\n`;

const nothing = {
  symbol: 'findLabel',
  before: find('return null;'),
  afterInTwin: find('return null;', 'name'),
};
const raised = {
  symbol: 'readPort',
  before: read("throw new RangeError('no port');"),
  after: read('return null;').replace('(text: string)', '(text: string): any'),
  afterInTwin: read("throw new RangeError('no port');", ', text'),
};

const shapes: readonly Shape[] = [
  {
    ...nothing,
    after: find("throw new RangeError('no label');"),
    uses: (from) =>
      `import { findLabel } from '${from}';\n\nexport function addedFeature(value: any) {\n  const found = findLabel(value);\n  if (found === null) {\n    return 'none';\n  }\n  return found;\n}\n`,
  },
  {
    ...nothing,
    after: find("throw new RangeError('no label');"),
    uses: (from) =>
      `import { findLabel } from '${from}';\n\nexport function addedFeature(value: any) {\n  if (!findLabel(value)) {\n    return 'none';\n  }\n  return 'some';\n}\n`,
  },
  {
    ...raised,
    uses: (from) =>
      `import { readPort } from '${from}';\n\nexport function addedFeature(value: any) {\n  return readPort(value).port;\n}\n`,
  },
];

/** A throws where a function returned nothing, or the other way round; B adds a call that expects the old behaviour. */
export const throwInstead: Operator = {
  name: 'throw instead of null',
  rule: 'S09',
  oracle: 'run',
  candidates: (project, random) => planted(project, random, shapes),
};
