import type { Operator } from '../../operator.ts';
import type { PythonProject } from '../project.ts';
import { planted, type Shape } from './seeded-base.ts';

const task = (hook: string, more = '') =>
  `class JoineryTask:\n    def run(self):\n        return self.${hook}()${more}\n\n    def ${hook}(self):\n        return 'base'\n`;

const shapes: readonly Shape[] = [
  {
    symbol: 'JoineryTask',
    before: task('handle'),
    after: task('perform'),
    afterInTwin: task('handle', ' or None'),
    imports: 'JoineryTask',
    uses: [
      'class JoineryOwnTask(JoineryTask):',
      '    def handle(self):',
      "        return 'own'",
      '',
      '',
      'def added_feature(value):',
      '    return JoineryOwnTask().run()',
    ],
  },
];

/** A renames a method that a base class calls; B adds a class that overrides the old one. */
export const renameHook: Operator<PythonProject> = {
  name: 'py: rename overridden method',
  rule: 'S12',
  oracle: 'python',
  candidates: (project, random) => planted(project, random, shapes),
};
