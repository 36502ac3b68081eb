import type { LoopStep, WorkflowStep } from '#schema/workflow.ts';
import type { Path } from '#workflow/language/problem.ts';

type Leaf = Exclude<WorkflowStep, LoopStep>;

/** A step with its place in the file, after templates are expanded and loop bodies are resolved. */
export type Located = LocatedLeaf | LocatedLoop;

export interface LocatedLeaf {
  readonly path: Path;
  readonly step: Leaf;
  /** Guidance of its routine for every step. */
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
