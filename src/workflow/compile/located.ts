import type { LoopStep, WorkflowStep } from '#schema/workflow.ts';
import type { Path } from '#workflow/language/problem.ts';

type Leaf = Exclude<WorkflowStep, LoopStep>;

/** A step with its place in the file, after templates are expanded and bodies are found. */
export type Located = LocatedLeaf | LocatedLoop;

export interface LocatedLeaf {
  readonly path: Path;
  readonly step: Leaf;
  /** What the routine it comes from tells every step. */
  readonly guidance: readonly string[];
}

export interface LocatedLoop {
  readonly path: Path;
  readonly step: LoopStep;
  readonly body: readonly Located[];
}

export function isLoop(located: Located): located is LocatedLoop {
  return 'body' in located;
}

/** Loops and their bodies, in the order of the file. */
export function flatten(all: readonly Located[]): Located[] {
  return all.flatMap((each) => (isLoop(each) ? [each, ...flatten(each.body)] : [each]));
}
