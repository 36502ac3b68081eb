import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asObject, asString } from '#lib/json-value.ts';
import { parseJson } from '#lib/parse-json.ts';
import type { Workflow } from '#schema/workflow.ts';
import { type Compilation, compileWorkflow } from '#workflow/compile/compile.ts';
import { templateIds } from '#workflow/compile/expand-templates.ts';
import { blocking, type Problem } from '#workflow/language/problem.ts';
import { readWorkflow } from '#workflow/language/read-workflow.ts';

/** In order of precedence: of several files with one id, the first counts. */
const sourceKinds = ['project', 'user', 'extra', 'bundled'] as const;
export type SourceKind = (typeof sourceKinds)[number];

interface WorkflowFolder {
  readonly kind: SourceKind;
  readonly path: string;
}

/** A file that declares itself a workflow, valid or not. */
export interface FoundWorkflow {
  readonly id: string;
  readonly kind: SourceKind;
  readonly file: string;
  /** Called by other workflows, never started directly. */
  readonly isRoutine: boolean;
  readonly workflow: Workflow | null;
  readonly problems: readonly Problem[];
}

export interface Catalogue {
  /** One per id, sorted by id. */
  readonly all: readonly FoundWorkflow[];
  find(id: string): FoundWorkflow | null;
  compile(found: FoundWorkflow): Compilation;
  bindings(id: string): Readonly<Record<string, string>>;
}

export const bundledFolder = fileURLToPath(new URL('./workflows', import.meta.url));

const longestFile = 4 * 1024 * 1024;

export interface CatalogueOptions {
  readonly folders: readonly WorkflowFolder[];
  /** Where references and bindings of the project are resolved. */
  readonly workspace: string;
}

export function openCatalogue({ folders, workspace }: CatalogueOptions): Catalogue {
  const byId = new Map<string, FoundWorkflow>();
  for (const folder of folders) {
    for (const file of workflowFiles(folder.path)) {
      const found = readFound(file, folder.kind);
      if (!byId.has(found.id)) byId.set(found.id, found);
    }
  }
  const all = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const routines = new Map(
    all.flatMap(({ id, workflow }) =>
      workflow ? templateIds(id).map((name) => [name, workflow] as const) : [],
    ),
  );
  return {
    all,
    find: (id) => byId.get(id) ?? null,
    bindings: (id) => bindingsOf(id, readBindings(workspace).all),
    compile: ({ workflow, problems, file, id }) => {
      if (!workflow) return { compiled: null, hash: '', problems };
      const { all: bound, problem } = readBindings(workspace);
      if (problem) return { compiled: null, hash: '', problems: [...problems, problem] };
      return compileWorkflow(workflow, {
        routines,
        overrides: bindingsOf(id, bound),
        isReferenceFound: ({ source, resolveFrom }) =>
          /^https?:/.test(source) ||
          existsSync(join(resolveFrom === 'package' ? dirname(file) : workspace, source)),
      });
    },
  };
}

/** Every JSON and YAML file below a folder, except examples. */
function workflowFiles(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'examples' ? [] : workflowFiles(path);
      const isWorkflow = /\.(json|ya?ml)$/.test(entry.name) && entry.name !== 'bindings.json';
      return isWorkflow && entry.isFile() ? [path] : [];
    });
}

export function readFound(file: string, kind: SourceKind): FoundWorkflow {
  const fallback = basename(file, extname(file));
  const isRoutine = basename(dirname(file)) === 'routines' || templateIds(fallback).length > 0;
  let text: string;
  try {
    const { size } = statSync(file);
    if (size > longestFile) throw new Error(`is longer than ${longestFile} bytes`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const problem = blocking([], 'unreadable', (error as Error).message);
    return { id: fallback, kind, file, isRoutine, workflow: null, problems: [problem] };
  }
  const isYaml = /\.ya?ml$/.test(file);
  const { workflow, problems } = readWorkflow(text, isYaml);
  const id = workflow?.id ?? idIn(text, isYaml) ?? fallback;
  return { id, kind, file, isRoutine: isRoutine || templateIds(id).length > 0, workflow, problems };
}

/** The id in an invalid file, so that its problems are listed under that id. */
function idIn(text: string, isYaml: boolean): string | null {
  if (isYaml) return /^id:\s*['"]?([\w.-]+)/m.exec(text)?.[1] ?? null;
  return asString(asObject(parseJson(text)).id) ?? null;
}

/** The bindings of the project: `{workflow: {slot: value}}`, or `{slot: value}` for every workflow. */
function readBindings(workspace: string): { readonly all: object; readonly problem?: Problem } {
  const file = bindingFiles.find((each) => existsSync(join(workspace, each)));
  if (file === undefined) return { all: {} };
  try {
    const all: unknown = JSON.parse(readFileSync(join(workspace, file), 'utf8'));
    if (typeof all !== 'object' || all === null || Array.isArray(all)) throw new Error('it is no object');
    return { all };
  } catch (error) {
    // Without the bindings, another step than the project wants would run.
    return { all: {}, problem: blocking([], 'bad-bindings', `${file}: ${(error as Error).message}`) };
  }
}

const bindingFiles = ['.joinery/workflows/bindings.json', '.workrail/bindings.json'];

function bindingsOf(id: string, all: object): Record<string, string> {
  const own = Object.hasOwn(all, id) ? asObject((all as Record<string, unknown>)[id]) : all;
  return Object.fromEntries(
    Object.entries(own).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
