import type { Candidate, Operator } from '../operator.ts';
import { specifier } from '../project.ts';
import { addedFile } from './added-use.ts';

interface Shape {
  readonly symbol: string;
  /** What A really writes, what B expected A to write, and how B uses it. */
  readonly written: string;
  readonly believed: string;
  readonly uses: (from: string) => string;
}

const shapes: readonly Shape[] = [
  {
    symbol: 'loadProfile',
    written: 'export function fetchProfile(id: string) {\n  return { id };\n}\n',
    believed: 'export function loadProfile(id: string) {\n  return { id };\n}\n',
    uses: (from) => `import { loadProfile } from '${from}';\n\nexport const added = loadProfile('1');\n`,
  },
  {
    symbol: 'display',
    written: 'export interface Profile {\n  id: string;\n  name: string;\n}\n',
    believed: 'export interface Profile {\n  id: string;\n  display: string;\n}\n',
    uses: (from) =>
      `import type { Profile } from '${from}';\n\nexport function added(profile: Profile) {\n  return profile.display;\n}\n`,
  },
  {
    symbol: 'sendNotice',
    written: 'export function sendNotice(to: string, body: string) {\n  return to + body;\n}\n',
    believed: 'export function sendNotice(to: string) {\n  return to;\n}\n',
    uses: (from) => `import { sendNotice } from '${from}';\n\nexport const added = sendNotice('you');\n`,
  },
  {
    symbol: 'openStore',
    written: 'export function openStore(options: { path: string }) {\n  return options.path;\n}\n',
    believed: 'export function openStore(options: { file: string }) {\n  return options.file;\n}\n',
    uses: (from) =>
      `import { openStore } from '${from}';\n\nexport const added = openStore({ file: 'x' });\n`,
  },
  {
    symbol: 'drain',
    written: 'export class Queue {\n  flush(): void {}\n}\n',
    believed: 'export class Queue {\n  drain(): void {}\n}\n',
    uses: (from) =>
      `import { Queue } from '${from}';\n\nexport function added(queue: Queue) {\n  queue.drain();\n}\n`,
  },
];

/** A adds a module; B adds code against its own expectation of that module. */
export const newProviderMismatch: Operator = {
  name: 'new against new',
  rule: 'S20',
  oracle: 'types',
  allowedAlone: ['TS2307'],
  *candidates(project, random): Iterable<Candidate> {
    const folders = [
      ...new Set([...project.facts.keys()].map((path) => path.slice(0, path.lastIndexOf('/')))),
    ];
    for (const folder of random.shuffled([...folders, ...folders.map((name) => `${name}/added`)])) {
      for (const shape of random.shuffled(shapes).slice(0, 3)) {
        const path = `${folder}/joinery-provider.ts`;
        const b = new Map([[addedFile, shape.uses(specifier(addedFile, path))]]);
        yield {
          a: new Map([[path, shape.written]]),
          b,
          twin: { a: new Map([[path, shape.believed]]), b },
          consumerFile: addedFile,
          symbol: shape.symbol,
        };
      }
    }
  },
};
