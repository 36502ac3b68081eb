import type { Candidate, Operator } from '../operator.ts';

/** Both sides add the same key to one object of the manifest, at its two ends. */
export const duplicateKey: Operator = {
  name: 'duplicate key',
  rule: 'T06',
  oracle: 'keys',
  *candidates(project, random): Iterable<Candidate> {
    const path = 'package.json';
    const manifest = JSON.parse(project.text(path)) as Record<string, unknown>;
    const base = JSON.stringify(manifest, null, 2);
    const names = ['lint', 'size', 'coverage', 'generate', 'release', 'verify', 'bundle', 'watch'];
    for (const name of random.shuffled(names)) {
      const first = (key: string) => base.replace('{\n', `{\n  "${key}": "a",\n`);
      const last = (key: string) => base.replace(/\n\}$/, `,\n  "${key}": "b"\n}`);
      const a = new Map([[path, first(name)]]);
      yield {
        a,
        b: new Map([[path, last(name)]]),
        twin: { a, b: new Map([[path, last(`${name}:all`)]]) },
        consumerFile: path,
        symbol: name,
      };
    }
  },
};
