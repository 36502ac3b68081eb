import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { canonicalJson } from '#lib/canonical-json.ts';
import type {
  CompiledLoop,
  CompiledNode,
  CompiledStep,
  CompiledWorkflow,
  LoopSource,
  ResolvedReference,
} from '#schema/compiled-workflow.ts';
import { breaks } from '#schema/verdict.ts';
import type { CheckStep, ParallelStep, Reference, StandardStep, Workflow } from '#schema/workflow.ts';
import { jsonSchemaOf, outputContract, schemaHash } from '#workflow/contracts/registry.ts';
import { blocking, type Problem } from '#workflow/language/problem.ts';
import { bindSlots } from './bindings.ts';
import { checkContext } from './check-context.ts';
import { bare } from './check-functions.ts';
import { checkSteps, hasControlStep, loopContract } from './check-steps.ts';
import { expandTemplates, type Routines } from './expand-templates.ts';
import { flatten, isLoop, type Located, type LocatedLeaf, type LocatedLoop } from './located.ts';
import { renderBlocks, withFeatures } from './prompt-blocks.ts';
import { virtualSteps } from './virtual-steps.ts';

export interface CompileSurroundings {
  readonly routines: Routines;
  /** The project's choices for extension points of this workflow. */
  readonly overrides: Readonly<Record<string, string>>;
  isReferenceFound(reference: z.infer<typeof Reference>): boolean;
}

export interface Compilation {
  readonly compiled: CompiledWorkflow | null;
  /** `sha256:` and 64 digits; empty if a problem blocks. */
  readonly hash: string;
  readonly problems: readonly Problem[];
}

/** Compiles the author's source into the form that a run is pinned to. Equal meaning gives equal hashes. */
export function compileWorkflow(source: Workflow, around: CompileSurroundings): Compilation {
  const { workflow, bindings, problems: unbound } = bindSlots(source, around.overrides);
  const expansion = expandTemplates(workflow, around.routines);
  const problems = [
    ...unbound.map((message) => blocking(['extensionPoints'], 'unknown-slot', message)),
    ...expansion.problems,
    ...checkSteps(workflow, expansion.steps),
    ...checkContext(workflow, expansion.steps),
    ...leftSlots(workflow),
  ];
  if (problems.some(breaks)) return { compiled: null, hash: '', problems };
  const steps = markLast(expansion.steps.flatMap((each) => compileNode(each, workflow)));
  const contracts = [...new Set(contractRefs(steps))].sort().flatMap((ref) => outputContract(ref) ?? []);
  const compiled: CompiledWorkflow = {
    schema: 'joinery/compiled-workflow@1',
    id: workflow.id,
    name: workflow.name,
    description: workflow.description,
    version: workflow.version,
    ...(workflow.modelTier ? { modelTier: workflow.modelTier } : {}),
    steps,
    assessments: workflow.assessments ?? [],
    functions: [
      ...(workflow.functionDefinitions ?? []),
      ...flatten(expansion.steps).flatMap(({ step }) =>
        'functionDefinitions' in step ? (step.functionDefinitions ?? []) : [],
      ),
    ],
    references: (workflow.references ?? []).map((reference) => resolveReference(reference, around)),
    preconditions: workflow.preconditions ?? [],
    clarifications: workflow.clarificationPrompts ?? [],
    metrics: workflow.metricsProfile ?? 'none',
    bindings,
    overridden: Object.keys(bindings).filter((slot) => Object.hasOwn(around.overrides, slot)),
    contracts: Object.fromEntries(contracts.map((contract) => [contract.ref, schemaHash(contract)])),
    contractSchemas: Object.fromEntries(contracts.map((contract) => [contract.ref, jsonSchemaOf(contract)])),
  };
  return { compiled, hash: hashOf(compiled), problems };
}

function hashOf(compiled: CompiledWorkflow): string {
  return `sha256:${createHash('sha256').update(canonicalJson(compiled)).digest('hex')}`;
}

/** After binding, no slot may remain. */
function leftSlots(workflow: Workflow): Problem[] {
  return workflow.steps.flatMap((step, index) =>
    /\{\{\s*wr\.(?!bindings\.)/.test(JSON.stringify(step))
      ? [blocking(['steps', index], 'unknown-slot', 'has {{wr.…}}, which nothing defines')]
      : [],
  );
}

function resolveReference(
  reference: z.infer<typeof Reference>,
  around: CompileSurroundings,
): ResolvedReference {
  const { id, title, source, purpose, authoritative } = reference;
  return { id, title, source, purpose, authoritative, isFound: around.isReferenceFound(reference) };
}

function contractRefs(nodes: readonly CompiledNode[]): string[] {
  return nodes.flatMap((node): string[] =>
    node.kind === 'loop'
      ? [
          ...contractRefs(node.body),
          ...(node.loop.source.kind === 'artifact' ? [node.loop.source.contractRef] : []),
        ]
      : [
          ...(node.outputContract ? [node.outputContract.contractRef] : []),
          ...(node.assessmentRefs.length > 0 ? ['wr.contracts.assessment'] : []),
        ],
  );
}

function compileNode(located: Located, workflow: Workflow): CompiledNode[] {
  return isLoop(located) ? [compileLoop(located, workflow)] : compileLeaf(located, workflow);
}

function compileLoop({ step, body }: LocatedLoop, workflow: Workflow): CompiledLoop {
  const inner = body.flatMap((each) => compileNode(each, workflow));
  const last = inner.length - 1;
  return {
    kind: 'loop',
    id: step.id,
    title: step.title,
    ...(step.runCondition ? { runCondition: step.runCondition } : {}),
    loop: { ...step.loop, source: loopSource(step, body) },
    body: inner.map((node, at) => {
      if (node.kind === 'loop') return node;
      // Settings of the loop apply to its steps, and its confirmation to the end of each pass.
      const confirmation = node.requireConfirmation ?? (at === last ? step.requireConfirmation : undefined);
      return {
        ...node,
        notesOptional: node.notesOptional || step.notesOptional === true,
        ...(confirmation === undefined ? {} : { requireConfirmation: confirmation }),
      };
    }),
  };
}

function loopSource({ id, loop }: LocatedLoop['step'], body: readonly Located[]): LoopSource {
  if (loop.type === 'for' || loop.type === 'forEach') return { kind: 'count' };
  const source = loop.conditionSource;
  if (source?.kind === 'artifact_contract')
    return { kind: 'artifact', contractRef: source.contractRef, loopIds: [...new Set([source.loopId, id])] };
  if (source?.kind === 'context_variable') return { kind: 'context', condition: source.condition };
  if (hasControlStep(body)) return { kind: 'artifact', contractRef: loopContract, loopIds: [id] };
  return { kind: 'context', condition: loop.condition ?? {} };
}

function compileLeaf({ step, guidance }: LocatedLeaf, workflow: Workflow): CompiledStep[] {
  const kind = step.type ?? 'step';
  const common = {
    id: step.id,
    title: step.title,
    guidance: [...(workflow.metaGuidance ?? []), ...guidance],
    fragments: [],
    ...(step.runCondition ? { runCondition: step.runCondition } : {}),
    ...(step.requireConfirmation === undefined ? {} : { requireConfirmation: step.requireConfirmation }),
    notesOptional: step.notesOptional ?? false,
    assessmentRefs: [],
    consequences: [],
    todoList: [],
    produces: 'produces' in step ? (step.produces ?? []) : [],
    functionReferences: [],
    askForFiles: false,
    isLast: false,
  } satisfies Partial<CompiledStep>;
  switch (kind) {
    case 'parallel': {
      const { parallelDelegations, synthesis } = step as ParallelStep;
      const own: CompiledStep = { kind, ...common, prompt: '', delegations: parallelDelegations };
      return [own, ...virtualSteps(own, { synthesis })];
    }
    case 'check': {
      const { prompt, check } = step as CheckStep;
      return [{ kind, ...common, prompt: prompt ?? '', notesOptional: true, check }];
    }
    case 'step': {
      const own = compileStandard(step as StandardStep, common, workflow);
      const { verification, audit } = step as StandardStep;
      return [own, ...virtualSteps(own, { verification, audit })];
    }
  }
}

type Common = Omit<CompiledStep, 'kind' | 'prompt'>;

function compileStandard(step: StandardStep, common: Common, workflow: Workflow): CompiledStep {
  const { promptBlocks, outputContract: contract, validationCriteria, jumpIf } = step;
  return {
    kind: 'step',
    ...common,
    guidance: [...common.guidance, ...(step.guidance ?? [])],
    prompt: promptBlocks
      ? renderBlocks(withFeatures(promptBlocks, workflow.features ?? []))
      : (step.prompt ?? ''),
    fragments: step.promptFragments ?? [],
    ...(step.agentRole ? { agentRole: step.agentRole } : {}),
    ...(step.modelTier ? { modelTier: step.modelTier } : {}),
    ...(contract
      ? { outputContract: { contractRef: contract.contractRef, required: contract.required ?? true } }
      : {}),
    assessmentRefs: step.assessmentRefs ?? [],
    consequences: step.assessmentConsequences ?? [],
    ...(validationCriteria
      ? { validation: Array.isArray(validationCriteria) ? validationCriteria : [validationCriteria] }
      : {}),
    ...(jumpIf ? { jumpIf } : {}),
    todoList: step.todoList ?? [],
    functionReferences: [
      ...(step.functionReferences ?? []).map(bare),
      ...(step.functionCalls ?? []).map(({ name }) => name),
    ],
    askForFiles: step.askForFiles ?? false,
  };
}

/** Marks the last step every run reaches: the last at the top, or in a final loop the last that does not control it. */
function markLast(steps: readonly CompiledNode[]): CompiledNode[] {
  const at = steps.length - 1;
  return steps.map((node, index) => {
    if (index !== at) return node;
    if (node.kind !== 'loop') return { ...node, isLast: true };
    const target = node.body.findLastIndex(
      (inner) => inner.kind === 'loop' || inner.outputContract?.contractRef !== loopContract,
    );
    return {
      ...node,
      body: node.body.map((inner, inside) => (inside === target ? (markLast([inner])[0] ?? inner) : inner)),
    };
  });
}
