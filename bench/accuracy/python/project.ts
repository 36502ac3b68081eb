import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Definition, Facts } from '#code/facts/facts.ts';
import { python } from '#code/languages/python/index.ts';
import { type Sources, unpackedDebian } from '../../corpora.ts';
import type { Ground } from '../operator.ts';
import { Words } from '../words.ts';

export interface PythonPlan {
  /** Debian's name of the package, and its version there. */
  readonly package: string;
  readonly version: string;
  /** The Python package in it. */
  readonly top: string;
  readonly leaveOut?: RegExp;
  /** Never looked at while rules were tuned. */
  readonly heldOut?: boolean;
}

/** Packages that need only the standard library. */
export const pythonPlans: readonly PythonPlan[] = [
  { package: 'python3-mutagen', version: '1.46.0-1', top: 'mutagen' },
  // Leaves out hundreds of similar lexers.
  { package: 'python3-pygments', version: '2.14.0+dfsg-1', top: 'pygments', leaveOut: /\/lexers\// },
  { package: 'python3-docutils', version: '0.19+dfsg-6', top: 'docutils' },
  { package: 'python3-markdown', version: '3.4.1-2+deb12u1', top: 'markdown', heldOut: true },
  { package: 'python3-tornado', version: '6.2.0-3+deb12u4', top: 'tornado', heldOut: true },
];

/** A top-level definition of a module. */
export interface PythonSite {
  readonly path: string;
  readonly name: string;
  readonly definition: Definition;
}

/** Sources of a Python package, with the queries that operators need. */
export class PythonProject implements Ground {
  readonly name: string;
  readonly version: string;
  readonly top: string;
  readonly files: Sources;
  readonly settings = new Map<string, string>();
  readonly bystander: ReadonlyMap<string, string>;
  readonly facts = new Map<string, Facts>();
  readonly #words: Words;

  constructor(plan: PythonPlan, files: Sources) {
    this.name = plan.package;
    this.version = plan.version;
    this.top = plan.top;
    this.files = files;
    this.bystander = new Map([[`${plan.top}/joinery_bystander.py`, 'bystander = 1\n']]);
    for (const [path, text] of files) this.facts.set(path, python.extract(text));
    this.#words = new Words(files);
  }

  /** Public, plain and defined once in the whole project. */
  sites(...kinds: Definition['kind'][]): PythonSite[] {
    const all = [...this.facts].flatMap(([path, { definitions }]) =>
      definitions.flatMap((definition) =>
        definition.container === null ? [{ path, name: definition.name, definition }] : [],
      ),
    );
    const count = Map.groupBy(all, ({ name }) => name);
    return all.filter(
      ({ name, definition: { kind, decorators, conditional, overload } }) =>
        kinds.includes(kind) &&
        decorators.length === 0 &&
        !conditional &&
        !overload &&
        /^[A-Za-z]\w{3,}$/.test(name) &&
        count.get(name)?.length === 1,
    );
  }

  /** Whether any module imports the name, or reads it in any way. */
  isUsed(name: string): boolean {
    return [...this.facts.values()].some(
      ({ imports, uses }) =>
        imports.some(({ imported }) => imported === name) ||
        uses.some(({ root, path }) => root === name || path.includes(name)),
    );
  }

  occurrences(word: string): ReadonlyMap<string, number> {
    return this.#words.occurrences(word);
  }

  countOf(word: string): number {
    return this.#words.countOf(word);
  }

  text(path: string): string {
    return this.files.get(path) ?? '';
  }
}

export async function openPythonProject(plan: PythonPlan): Promise<PythonProject> {
  await python.prepare();
  const folder = join(unpackedDebian(plan.package, plan.version), 'usr/lib/python3/dist-packages');
  const paths = readdirSync(join(folder, plan.top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !/(^|\/)(tests?|testing)\//.test(path) && !plan.leaveOut?.test(path))
    .toSorted();
  return new PythonProject(
    plan,
    new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const)),
  );
}
