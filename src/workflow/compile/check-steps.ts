import { nearest } from '#lib/nearest.ts';
import type { LoopControl, ParallelStep, StandardStep, Workflow } from '#schema/workflow.ts';
import { outputContract, outputContracts } from '#workflow/contracts/registry.ts';
import { blocking, important, type Path, type Problem } from '#workflow/language/problem.ts';
import { features } from './canon.ts';
import { checkAssessments } from './check-assessments.ts';
import { checkFunctions } from './check-functions.ts';
import { flatten, isLoop, type Located, type LocatedLoop } from './located.ts';
import { unknownRefs } from './prompt-blocks.ts';

/** Deeper nesting is unreadable. */
const deepestLoop = 4;

/** All checks before a workflow runs, besides those of its shape. */
export function checkSteps(workflow: Workflow, steps: readonly Located[]): Problem[] {
  const all = flatten(steps);
  return [
    ...duplicates(
      all.map(({ step, path }) => ({ name: step.id, path: [...path, 'id'] })),
      'step',
    ),
    ...duplicates(
      (workflow.references ?? []).map(({ id }, at) => ({ name: id, path: ['references', at, 'id'] })),
      'reference',
    ),
    ...duplicates(
      (workflow.extensionPoints ?? []).map(({ slotId }, at) => ({
        name: slotId,
        path: ['extensionPoints', at, 'slotId'],
      })),
      'extension point',
    ),
    ...checkFeatures(workflow),
    ...checkAssessments(workflow, all),
    ...checkFunctions(workflow, all),
    ...steps.flatMap((each) => checkDepth(each, 0)),
    ...all.flatMap((each) =>
      isLoop(each) ? checkLoop(each) : checkLeaf(each.step as StandardStep, each.path),
    ),
    ...[steps, ...all.filter(isLoop).map(({ body }) => body)].flatMap(checkJumps),
  ];
}

export function duplicates(
  names: readonly { readonly name: string; readonly path: Path }[],
  what: string,
): Problem[] {
  const seen = new Set<string>();
  return names.flatMap(({ name, path }) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [blocking(path, 'duplicate-id', `there is another ${what} ${JSON.stringify(name)}`)];
  });
}

function checkFeatures({ features: wanted = [] }: Workflow): Problem[] {
  return wanted.flatMap((name, at) =>
    features.has(name)
      ? []
      : [blocking(['features', at], 'unknown-feature', unknownName('feature', name, features.keys()))],
  );
}

export function unknownName(what: string, name: string, known: Iterable<string>): string {
  const meant = nearest(name, known);
  return `there is no ${what} ${JSON.stringify(name)}${meant === null ? '' : `; did you mean "${meant}"?`}`;
}

function checkDepth(located: Located, depth: number): Problem[] {
  if (!isLoop(located)) return [];
  if (depth >= deepestLoop)
    return [blocking(located.path, 'loops-too-deep', `loops are nested more than ${deepestLoop} deep`)];
  return located.body.flatMap((inner) => checkDepth(inner, depth + 1));
}

function checkLeaf(step: StandardStep, path: Path): Problem[] {
  const kind = (step.type ?? 'step') as string;
  if (kind === 'parallel') return checkParallel(step as unknown as ParallelStep, path);
  if (kind === 'check') return [];
  const sources = (['prompt', 'promptBlocks', 'templateCall'] as const).filter(
    (name) => step[name] !== undefined,
  );
  return [
    ...(sources.length === 1
      ? []
      : [
          blocking(
            path,
            'one-prompt',
            sources.length === 0
              ? 'needs one of "prompt", "promptBlocks", "templateCall"'
              : `has ${sources.join(' and ')}; only one of them is allowed`,
          ),
        ]),
    ...(step.promptBlocks && Object.keys(step.promptBlocks).length === 0
      ? [blocking([...path, 'promptBlocks'], 'empty-blocks', 'has no block')]
      : []),
    ...(step.promptBlocks
      ? unknownRefs(step.promptBlocks).map((message) =>
          blocking([...path, 'promptBlocks'], 'unknown-ref', message),
        )
      : []),
    ...duplicates(
      (step.promptFragments ?? []).map(({ id }, at) => ({
        name: id,
        path: [...path, 'promptFragments', at, 'id'],
      })),
      'fragment',
    ),
    ...(step.promptFragments ?? []).flatMap(({ text }, at) =>
      text.includes('{{wr.')
        ? [
            blocking(
              [...path, 'promptFragments', at, 'text'],
              'slot-in-fragment',
              'a fragment cannot have {{wr.…}}',
            ),
          ]
        : [],
    ),
    ...checkContract(step.outputContract?.contractRef, [...path, 'outputContract', 'contractRef']),
    ...(step.audit && !step.audit.prompt && (step.audit.rubric ?? []).length === 0
      ? [blocking([...path, 'audit'], 'empty-audit', 'needs a prompt or a rubric')]
      : []),
    ...(step.verification && !step.verification.prompt && !step.verification.command
      ? [blocking([...path, 'verification'], 'empty-verification', 'needs a prompt or a command')]
      : []),
  ];
}

function checkContract(ref: string | undefined, path: Path): Problem[] {
  if (ref === undefined || outputContract(ref)) return [];
  const known = outputContracts().map((contract) => contract.ref);
  return [blocking(path, 'unknown-contract', unknownName('contract', ref, known))];
}

function checkParallel(step: ParallelStep, path: Path): Problem[] {
  return [
    ...(['audit', 'verification'] as const).flatMap((name) =>
      step[name] === undefined
        ? []
        : [blocking([...path, name], 'not-for-parallel', `a parallel step cannot have ${name}`)],
    ),
    ...checkContract(step.synthesis?.outputContract?.contractRef, [
      ...path,
      'synthesis',
      'outputContract',
      'contractRef',
    ]),
  ];
}

function checkLoop({ step, path, body }: LocatedLoop): Problem[] {
  const { loop } = step;
  const at = [...path, 'loop'];
  return [
    ...(body.length === 0 && Array.isArray(step.body) && step.body.length > 0
      ? [blocking([...path, 'body'], 'empty-body', 'no step is left in the loop')]
      : []),
    ...missingControl(loop, body).map((message) => blocking(at, 'loop-control', message)),
    ...(loop.conditionSource?.kind === 'artifact_contract'
      ? checkContract(loop.conditionSource.contractRef, [...at, 'conditionSource', 'contractRef'])
      : []),
    ...(loop.type === 'for' && typeof loop.count === 'number' && loop.count > loop.maxIterations
      ? [
          important(
            [...at, 'count'],
            'count-over-cap',
            `runs ${loop.maxIterations} times: maxIterations is smaller`,
          ),
        ]
      : []),
  ];
}

export const loopContract = 'wr.contracts.loop_control';

/** Whether a step of the body controls the loop by an artifact. */
export function hasControlStep(body: readonly Located[]): boolean {
  return body.some(
    (each) => !isLoop(each) && (each.step as StandardStep).outputContract?.contractRef === loopContract,
  );
}

function missingControl(loop: LoopControl, body: readonly Located[]): string[] {
  switch (loop.type) {
    case 'while':
    case 'until':
      return loop.condition || loop.conditionSource || hasControlStep(body)
        ? []
        : [`a ${loop.type} loop needs a condition, a conditionSource or a step with ${loopContract}`];
    case 'for':
      return loop.count === undefined ? ['a for loop needs a count'] : [];
    case 'forEach':
      return loop.items === undefined ? ['a forEach loop needs items'] : [];
  }
}

/** A jump must stay within its own list: across a loop border the iteration would be undefined. */
function checkJumps(list: readonly Located[]): Problem[] {
  const names = list.map(({ step }) => step.id);
  return list.flatMap(({ step, path }) => {
    const jump = (step as StandardStep).jumpIf;
    if (!jump || names.includes(jump.target)) return [];
    return [
      blocking(
        [...path, 'jumpIf', 'target'],
        'unknown-target',
        unknownName('step in this list', jump.target, names),
      ),
    ];
  });
}
