import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, type Statement } from 'oxc-parser';
import type { Definition, Facts } from '#code/facts/facts.ts';
import { languageOf } from '#code/languages/index.ts';
import { benchFolder, npm, type Sources, sourcesOf, unpacked } from '../corpora.ts';
import type { Ground } from './operator.ts';
import { Words } from './words.ts';

/** A package, the sources to use, and what they need to check clean. */
export interface ProjectPlan {
  readonly package: string;
  readonly version: string;
  readonly keep: (path: string) => boolean;
  readonly types: readonly string[];
  /** Compiler options that its sources need. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Imports that its build resolves, `@internal/` for `src/`. The oracle checks many trees at once, so `paths` cannot work. */
  readonly alias?: { readonly from: string; readonly to: string };
  /** Declarations of globals that its build defines. */
  readonly globals?: string;
  /** Never looked at while rules were tuned. */
  readonly heldOut?: boolean;
}

const compilerOptions = {
  target: 'es2022',
  lib: ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  resolveJsonModule: true,
};

export const isTest = (path: string): boolean =>
  /(^|\/)(tests?|__tests__)\/|\.(test|spec|bench)(-d)?\./.test(path);

export const projectPlans: readonly ProjectPlan[] = [
  {
    package: '@tanstack/query-core',
    version: '5.107.1',
    keep: (path) => path.startsWith('src/') && !isTest(path),
    types: ['node'],
  },
  {
    package: 'mobx',
    version: '7.1.3',
    keep: (path) => path.startsWith('src/') && !isTest(path),
    types: ['node'],
    options: { noImplicitAny: false, noImplicitThis: false, strictPropertyInitialization: false },
    globals: 'declare const __DEV__: boolean;\n',
  },
  {
    package: 'rxjs',
    version: '7.8.2',
    // Its web socket sources fail with the typed arrays of newer libraries; nothing else imports them.
    keep: (path) => path.startsWith('src/') && !isTest(path) && !/webSocket|umd\.ts/i.test(path),
    types: ['node'],
  },
  {
    package: 'chevrotain',
    version: '13.2.0',
    heldOut: true,
    keep: (path) => path.startsWith('src/') && !isTest(path),
    types: ['node'],
    options: { strict: false },
  },
  {
    package: 'immer',
    version: '11.2.10',
    heldOut: true,
    keep: (path) => path.startsWith('src/') && !isTest(path),
    // Its maps lack what the types of Node and newer libraries demand.
    types: [],
    options: { lib: ['es2022', 'dom', 'dom.iterable'] },
    globals: 'declare const process: { env: Record<string, string | undefined> };\n',
  },
];

/** A top-level definition of a module, with its place in the text. */
export interface TopLevel {
  readonly path: string;
  readonly name: string;
  readonly definition: Definition;
  readonly start: number;
  readonly end: number;
  readonly node: Statement;
}

/** Sources that check clean, with the queries that operators need. */
export class Project implements Ground {
  readonly name: string;
  readonly version: string;
  readonly files: Sources;
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  readonly globals: string;
  /** Folder whose `node_modules` has the imported packages. */
  readonly modules: string;
  readonly settings: ReadonlyMap<string, string>;
  readonly bystander = new Map([['src/joinery-bystander.ts', 'export const bystander = 1;\n']]);
  readonly facts = new Map<string, Facts>();
  readonly #topLevel: TopLevel[] = [];
  readonly #words: Words;

  constructor(plan: ProjectPlan, files: Sources, modules: string) {
    this.name = plan.package;
    this.version = plan.version;
    this.compilerOptions = { ...compilerOptions, types: plan.types, ...plan.options };
    this.globals = plan.globals ?? '';
    this.settings = new Map([
      ['tsconfig.json', JSON.stringify({ compilerOptions: this.compilerOptions, include: ['src'] }, null, 2)],
    ]);
    this.files = files;
    this.modules = modules;
    for (const [path, text] of files) this.#read(path, text);
    this.#words = new Words([...files].filter(([path]) => this.facts.has(path)));
  }

  /** Exported once, under its own name, from the module that defines it; no other module defines the name. */
  exported(...kinds: Definition['kind'][]): TopLevel[] {
    const count = new Map<string, number>();
    for (const { name } of this.#topLevel) count.set(name, (count.get(name) ?? 0) + 1);
    return this.#topLevel.filter(
      ({ path, name, definition }) =>
        kinds.includes(definition.kind) &&
        !definition.overload &&
        count.get(name) === 1 &&
        this.facts.get(path)?.exports.some((entry) => entry.name === name && entry.local === name),
    );
  }

  /** Whether any module imports the name, or uses a whole module that may have it. */
  isImported(name: string): boolean {
    return [...this.facts.values()].some(({ imports }) => imports.some(({ imported }) => imported === name));
  }

  isUsedAtHome({ path, name }: TopLevel): boolean {
    return this.facts.get(path)?.uses.some(({ root, scope }) => root === name && scope !== name) ?? false;
  }

  /** Whether a definition uses something that only its own module has. */
  needsHome({ path, name }: TopLevel): boolean {
    const home = this.#topLevel.filter((other) => other.path === path && other.name !== name);
    const uses = this.facts
      .get(path)
      ?.uses.filter(({ scope }) => scope === name || scope.startsWith(`${name}.`));
    return uses?.some(({ root }) => home.some((other) => other.name === root)) ?? false;
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

  /** The module that a relative import resolves to. */
  resolved(from: string, request: string): string | null {
    const path = posix.join(posix.dirname(from), request);
    const bare = path.replace(/\.js$/, '');
    return (
      [path, `${bare}.ts`, `${bare}.tsx`, `${bare}/index.ts`].find((entry) => this.files.has(entry)) ?? null
    );
  }

  #read(path: string, text: string): void {
    const language = languageOf(path);
    if (!language || !path.endsWith('.ts')) return;
    const facts = language.extract(text);
    this.facts.set(path, facts);
    for (const node of parseSync(path, text).program.body) {
      const inner = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
      const name = inner && 'id' in inner && inner.id && 'name' in inner.id ? inner.id.name : null;
      const definition = facts.definitions.find((entry) => entry.container === null && entry.name === name);
      if (name !== null && definition)
        this.#topLevel.push({ path, name, definition, start: node.start, end: node.end, node });
    }
  }
}

/** Downloads a project with its imports. */
export async function openProject(plan: ProjectPlan): Promise<Project> {
  const sources = sourcesOf(plan.package, plan.version);
  const kept = [...sources]
    .filter(([path]) => plan.keep(path))
    .map(([path, text]) => [path, withoutAlias(path, text, plan.alias)] as const);
  const manifest = readFileSync(join(unpacked(plan.package, plan.version), 'package.json'), 'utf8');
  const tidy = JSON.stringify(JSON.parse(manifest), null, 2);
  const files = new Map([...kept, ['package.json', tidy] as const]);
  for (const [path] of kept) await languageOf(path)?.prepare();
  return new Project(plan, files, installed(plan, manifest));
}

function withoutAlias(path: string, text: string, alias: ProjectPlan['alias']): string {
  if (!alias) return text;
  return text.replaceAll(new RegExp(`(["'])${alias.from}([^"']+)`, 'g'), (_, quote, rest) => {
    return `${quote}${specifier(path, `${alias.to}${rest}`)}`;
  });
}

function installed(plan: ProjectPlan, manifest: string): string {
  const folder = benchFolder('modules', `${plan.package.replace('/', '+')}@${plan.version}`);
  const ready = join(folder, 'ready');
  if (existsSync(ready)) return folder;
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(manifest) as {
    dependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
  };
  const all = {
    ...dependencies,
    ...peerDependencies,
    [plan.package]: plan.version,
    '@types/node': '24.19.2',
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: all }));
  npm(['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--silent'], folder);
  writeFileSync(ready, '');
  return folder;
}

/** How a module in the folder `from` imports the one at `to`, without extension. */
export function specifier(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to.replace(/\.tsx?$/, ''));
  return path.startsWith('.') ? path : `./${path}`;
}
