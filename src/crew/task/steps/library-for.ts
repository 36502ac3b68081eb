import { lstatSync, realpathSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { stepOf } from '#crew/state/state.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import type { GitTree } from '#git/trees/tree.ts';
import type { CitedArtifact, Library } from '#handoff/library.ts';
import { readBoundedFile } from '#lib/read-bounded-file.ts';

/** What an attempt was shown: every section has the hash of its artifact. */
interface Shown {
  readonly sha256: string;
  readonly included: readonly string[];
}

/**
 * Everything an attempt may cite: the sections of its prompt and the files of its worktree, or of its commit once there is
 * one, because the folder may be gone.
 */
export function libraryFor(
  flow: TaskFlow,
  plan: AttemptPlan,
  shown: Shown | null,
  committed: GitTree | null = null,
): Library {
  const artifacts = new Map<string, CitedArtifact & { readonly sections: string[] }>();
  for (const id of shown?.included ?? []) {
    const [artifact = '', section = ''] = id.split('#');
    const known = artifacts.get(artifact);
    if (known) known.sections.push(section);
    else artifacts.set(artifact, { ...originOf(flow, artifact, shown?.sha256 ?? ''), sections: [section] });
  }
  return {
    artifacts,
    file: (path) => (committed?.blob(path) === undefined ? fileIn(plan.path, path) : { text: null }),
    changedBy: (path) => makerOf(flow, path),
  };
}

/** Names that an output may be addressed to. */
export function addresseesIn({ state }: TaskFlow): ReadonlySet<string> {
  return new Set([...state.steps.keys(), ...roles, 'user']);
}

const roles = ['developer', 'reviewer', 'integrator'];

/** A handoff is an artifact of its task; everything else was part of the prompt, which is an artifact itself. */
function originOf(flow: TaskFlow, artifact: string, prompt: string): Omit<CitedArtifact, 'sections'> {
  const task = artifact.startsWith('handoff/') ? artifact.slice('handoff/'.length) : null;
  if (task === null || !flow.state.steps.has(task)) return { sha256: prompt, madeBy: null };
  const played = stepOf(flow.state, task).attempts.at(-1)?.played;
  return { sha256: played?.handoff ?? played?.notes ?? prompt, madeBy: task };
}

/** The task this one depends on whose handoff says it changed a file. */
function makerOf(flow: TaskFlow, path: string): string | null {
  const { task } = stepOf(flow.state, flow.id);
  return task.dependsOn.find((id) => stepOf(flow.state, id).task.files.includes(path)) ?? null;
}

/** A file of the worktree; links are not followed at any level. */
function fileIn(root: string, path: string): { readonly text: string | null } | null {
  if (path.startsWith('/') || path.includes('\0') || path.split(/[\\/]/).includes('..')) return null;
  const file = join(root, path);
  try {
    if (!lstatSync(file).isFile() || realpathSync(file) !== join(realpathSync(root), normalize(path)))
      return null;
  } catch {
    return null;
  }
  try {
    return { text: readBoundedFile(file) };
  } catch {
    return { text: null };
  }
}
