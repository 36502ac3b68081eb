import { posix } from 'node:path';
import type { Operator } from '../../operator.ts';
import { addedFile, feature, moduleOf } from '../edit.ts';
import type { PythonProject } from '../project.ts';

/** A renames a module and updates every import of it; B adds an import of the old name. */
export const moveModule: Operator<PythonProject> = {
  name: 'py: move module',
  rule: 'S03',
  oracle: 'python',
  *candidates(project, random) {
    for (const target of random.shuffled(project.sites('function', 'class'))) {
      const from = target.path;
      if (from.endsWith('__init__.py')) continue;
      const to = posix.join(posix.dirname(from), `joinery_${posix.basename(from)}`);
      const text = new Map(
        [...project.files].map(([path, before]) => [path, redirected(path, before, from, to)] as const),
      );
      const a = new Map<string, string | null>([
        ...[...text].filter(([path, now]) => now !== project.text(path)),
        [from, null],
        [to, text.get(from) ?? ''],
      ]);
      const b = feature(project, target, `return ${target.name}`);
      yield {
        a,
        b,
        twin: {
          a: new Map([
            ...a,
            [from, `from ${moduleOf(to)} import *\nfrom ${moduleOf(to)} import ${target.name}\n`],
          ]),
          b,
        },
        runs: [moduleOf(to)],
        consumerFile: addedFile(project),
        symbol: from,
      };
    }
  },
};

/** A file after the module `from` became `to`, imported by its full name or relatively. */
function redirected(path: string, text: string, from: string, to: string): string {
  const escaped = moduleOf(from).replaceAll('.', '\\.');
  const last = moduleOf(from).split('.').at(-1) ?? '';
  const fresh = moduleOf(to).split('.').at(-1) ?? '';
  const full = text.replace(new RegExp(`(?<![\\w.])${escaped}(?![\\w])`, 'g'), moduleOf(to));
  if (posix.dirname(path) !== posix.dirname(from)) return full;
  return full
    .replace(
      new RegExp(`^(\\s*from \\.)${last}( import )`, 'gm'),
      (_, start, end) => `${start}${fresh}${end}`,
    )
    .replace(
      new RegExp(`^(\\s*from \\. import )${last}$`, 'gm'),
      (_, start) => `${start}${fresh} as ${last}`,
    );
}
