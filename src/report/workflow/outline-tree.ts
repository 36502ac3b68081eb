import type { OutlineStep } from '#schema/workflow-reports.ts';

/** A line of the outline with the lines inside it. */
export interface Branch extends OutlineStep {
  readonly inside: readonly Branch[];
}

/** Rebuilds the tree from the outline: deeper lines belong to the loop before them. */
export function treeOf(steps: readonly OutlineStep[], depth = 0): Branch[] {
  const tree: Branch[] = [];
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at];
    if (!step || step.depth !== depth) continue;
    let end = at + 1;
    while ((steps[end]?.depth ?? depth) > depth) end++;
    tree.push({ ...step, inside: treeOf(steps.slice(at + 1, end), depth + 1) });
  }
  return tree;
}
