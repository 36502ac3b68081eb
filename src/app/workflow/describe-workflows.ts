import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { demandRealPlace } from '#app/setup/real-place.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { nearest } from '#lib/nearest.ts';
import { shellWord } from '#lib/shell-word.ts';
import type { CompiledWorkflow } from '#schema/compiled-workflow.ts';
import { UsageError } from '#schema/errors.ts';
import { breaks } from '#schema/verdict.ts';
import type {
  WorkflowEntry,
  WorkflowListReport,
  WorkflowShowReport,
  WorkflowValidateReport,
} from '#schema/workflow-reports.ts';
import { type Catalogue, type FoundWorkflow, readFound } from '#workflow/catalogue/find-workflows.ts';
import { outlineOf } from '#workflow/catalogue/outline.ts';
import { workflowTemplate } from '#workflow/catalogue/template.ts';
import { type CatalogueRoom, openCatalogueRoom } from './workflow-room.ts';

type Here = Pick<Surroundings, 'cwd' | 'env' | 'terminal'>;

export async function listWorkflowsHere(here: Here): Promise<WorkflowListReport> {
  const room = await openCatalogueRoom(here);
  return listWorkflows(room);
}

export function listWorkflows({ catalogue }: Pick<CatalogueRoom, 'catalogue'>): WorkflowListReport {
  return {
    schema: 'joinery/workflow-list@1',
    workflows: catalogue.all.map((found) => entryOf(found, catalogue)),
  };
}

export async function showWorkflowHere(here: Here, id: string): Promise<WorkflowShowReport> {
  const room = await openCatalogueRoom(here);
  return showWorkflow(room, id);
}

export function showWorkflow(
  { catalogue }: Pick<CatalogueRoom, 'catalogue'>,
  id: string,
): WorkflowShowReport {
  const found = demandWorkflow(catalogue, id);
  const { compiled } = demandCompiled(catalogue, found);
  return {
    schema: 'joinery/workflow-show@1',
    workflow: entryOf(found, catalogue),
    steps: outlineOf(compiled.steps),
    preconditions: [...compiled.preconditions],
    bindings: { ...compiled.bindings },
  };
}

/** Validates the named files, or all workflows. */
export async function validateWorkflowsHere(
  here: Here,
  names: readonly string[],
): Promise<WorkflowValidateReport> {
  const { catalogue } = await openCatalogueRoom(here);
  const wanted =
    names.length === 0 ? catalogue.all : names.map((name) => fileOrWorkflow(here, catalogue, name));
  const problems = wanted.flatMap((found) =>
    catalogue.compile(found).problems.map((problem) => ({ file: shown(here, found), ...problem })),
  );
  return {
    schema: 'joinery/workflow-validate@1',
    status: problems.some(breaks) ? 'fail' : 'pass',
    files: wanted.map((found) => shown(here, found)),
    problems,
  };
}

function shown({ cwd }: Here, { file }: FoundWorkflow): string {
  const path = relative(cwd, file);
  return path.startsWith('..') ? file : path;
}

function fileOrWorkflow({ cwd }: Here, catalogue: Catalogue, name: string): FoundWorkflow {
  const path = resolve(cwd, name);
  return existsSync(path) ? readFound(path, 'project') : demandWorkflow(catalogue, name);
}

/** Writes a workflow to start from. */
export async function newWorkflowHere(here: Here, id: string): Promise<{ file: string }> {
  if (!/^[a-z][a-z0-9-]{2,63}$/.test(id)) {
    throw new UsageError({
      code: 'bad-name',
      message: `${JSON.stringify(id)} is not a valid workflow id`,
      hint: 'three or more small letters, digits and hyphens: joinery workflow new code-audit',
    });
  }
  const { workspace } = await openCatalogueRoom(here);
  const file = join(workspace, '.joinery', 'workflows', `${id}.yaml`);
  demandRealPlace(workspace, file);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, workflowTemplate(id), { flag: 'wx' });
  } catch (cause) {
    const name = relative(here.cwd, file);
    const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    throw new UsageError({
      code: isThere ? 'file-exists' : 'unwritable-file',
      message: isThere ? `${name} exists already` : `${name} cannot be written: ${(cause as Error).message}`,
      hint: isThere ? `look at it: joinery workflow show ${shellWord(id)}` : `ls -ld ${shellWord(workspace)}`,
      cause,
    });
  }
  return { file: relative(here.cwd, file) };
}

export function demandWorkflow(catalogue: Catalogue, id: string): FoundWorkflow {
  const found = catalogue.find(id);
  if (found) return found;
  const meant = nearest(
    id,
    catalogue.all.map((each) => each.id),
  );
  throw new UsageError({
    code: 'unknown-workflow',
    message: `there is no workflow ${JSON.stringify(id)}${meant === null ? '' : `; did you mean "${meant}"?`}`,
    hint: 'joinery workflow list',
  });
}

export function demandCompiled(
  catalogue: Catalogue,
  found: FoundWorkflow,
): { compiled: CompiledWorkflow; hash: string } {
  const { compiled, hash, problems } = catalogue.compile(found);
  if (compiled) return { compiled, hash };
  const first = problems.find(breaks);
  throw new UsageError({
    code: 'bad-workflow',
    message: `${found.file}: ${first?.path ? `${first.path}: ` : ''}${first?.message}`,
    hint: `joinery workflow validate ${shellWord(found.id)}`,
  });
}

function entryOf(found: FoundWorkflow, catalogue: Catalogue): WorkflowEntry {
  const { id, kind, file, isRoutine, workflow } = found;
  const { compiled, hash } = catalogue.compile(found);
  return {
    id,
    name: workflow?.name ?? '',
    description: workflow?.description ?? '',
    version: workflow?.version ?? '',
    source: kind,
    file,
    isRoutine,
    isUsable: compiled !== null,
    hash,
    tags: workflow?.tags ?? [],
    examples: workflow?.examples ?? [],
  };
}
