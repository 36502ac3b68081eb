import type { StandardStep, Workflow } from '#schema/workflow.ts';
import { variablesOf } from '#workflow/language/condition.ts';
import { blocking, important, type Path, type Problem } from '#workflow/language/problem.ts';
import { variablesIn } from '#workflow/prompt/placeholders.ts';
import { unknownName } from './check-steps.ts';
import { isLoop, type Located, type LocatedLoop } from './located.ts';

/** Set by the engine for every run. */
const given = ['goal', 'is_autonomous'];

/**
 * Every variable that is read needs a producer: an input of the workflow, an earlier step, or an enclosing loop. A missing
 * one is an error if the workflow declares its inputs, and a warning if only its steps declare variables.
 */
export function checkContext(workflow: Workflow, steps: readonly Located[]): Problem[] {
  if (workflow.inputs === undefined && !declares(steps)) return [];
  const problems: Problem[] = [];
  const isStrict = workflow.inputs !== undefined;
  walk(steps, new Set([...given, ...(workflow.inputs ?? [])]));
  return problems;

  /** Adds what the steps produce to `known`. */
  function walk(list: readonly Located[], known: Set<string>): void {
    for (const located of list) {
      demand(variablesOf(located.step.runCondition), [...located.path, 'runCondition'], known);
      if (isLoop(located)) walkLoop(located, known);
      else walkLeaf(located.step as StandardStep, located.path, known);
    }
  }

  function walkLoop({ step: { loop }, path, body }: LocatedLoop, known: Set<string>): void {
    const at = [...path, 'loop'];
    if (loop.items !== undefined) demand([loop.items], [...at, 'items'], known);
    if (typeof loop.count === 'string') demand([loop.count], [...at, 'count'], known);
    const own = [
      loop.iterationVar ?? 'currentIteration',
      loop.itemVar ?? 'currentItem',
      loop.indexVar ?? 'currentIndex',
    ];
    const inside = new Set([...known, ...own]);
    walk(body, inside);
    // The condition is evaluated before the first pass, but a while loop may use what its body sets.
    const source = loop.conditionSource;
    demand(
      variablesOf(source?.kind === 'context_variable' ? source.condition : loop.condition),
      [...at, 'condition'],
      inside,
    );
    for (const name of inside) if (!own.includes(name)) known.add(name);
  }

  function walkLeaf(step: StandardStep, path: Path, known: Set<string>): void {
    demand(step.requires ?? [], [...path, 'requires'], known);
    demand(
      variablesIn(`${step.title}\n${step.prompt ?? JSON.stringify(step.promptBlocks ?? '')}`),
      [...path, 'prompt'],
      known,
    );
    (step.promptFragments ?? []).forEach(({ when, text }, at) => {
      demand([...variablesOf(when), ...variablesIn(text)], [...path, 'promptFragments', at], known);
    });
    for (const name of step.produces ?? []) known.add(name);
    if (step.jumpIf) demand(variablesOf(step.jumpIf.condition), [...path, 'jumpIf'], known);
  }

  function demand(names: readonly string[], path: Path, known: ReadonlySet<string>): void {
    for (const name of new Set(names)) {
      if (known.has(name)) continue;
      const message = `${unknownName('producer of variable', name, known)}; an input, or "produces" of an earlier step`;
      problems.push(
        isStrict ? blocking(path, 'no-producer', message) : important(path, 'no-producer', message),
      );
    }
  }
}

function declares(steps: readonly Located[]): boolean {
  return steps.some((each) =>
    isLoop(each)
      ? declares(each.body)
      : (each.step as StandardStep).requires !== undefined ||
        (each.step as StandardStep).produces !== undefined,
  );
}
