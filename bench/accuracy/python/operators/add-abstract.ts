import type { Operator } from '../../operator.ts';
import type { PythonProject } from '../project.ts';
import { planted, type Shape } from './seeded-base.ts';

const sink = (more: string, own: string) =>
  `import abc\n\n\nclass JoinerySink(abc.ABC):\n    @abc.abstractmethod\n    def write(self, text):\n        ...\n${more}\n\nclass JoineryConsole(JoinerySink):\n    def write(self, text):\n        return text\n${own}`;

const shapes: readonly Shape[] = [
  {
    symbol: 'JoinerySink',
    before: sink('', ''),
    after: sink(
      '\n    @abc.abstractmethod\n    def flush(self):\n        ...\n',
      '\n    def flush(self):\n        return None\n',
    ),
    afterInTwin: sink('\n    def flush(self):\n        return None\n', ''),
    imports: 'JoinerySink',
    uses: [
      'class JoineryMemory(JoinerySink):',
      '    def write(self, text):',
      '        return text',
      '',
      '',
      'def added_feature(value):',
      "    return JoineryMemory().write('x')",
    ],
  },
];

/** A adds an abstract method to a class and its subclasses; B adds another subclass. */
export const addAbstract: Operator<PythonProject> = {
  name: 'py: add abstract method',
  rule: 'S11',
  oracle: 'python',
  candidates: (project, random) => planted(project, random, shapes),
};
