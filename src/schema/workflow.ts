import { z } from 'zod';
import { nearest } from '#lib/nearest.ts';
import { AgentPackage } from './agent-package.ts';

/** An object that refuses unknown fields: the message has one line for each, in the order of `keys`. */
function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const keys = (issue as unknown as { keys: readonly string[] }).keys;
      return keys.map((key) => unknownField(key, Object.keys(shape))).join('\n');
    },
  });
}

function unknownField(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  return `unknown field ${JSON.stringify(key)}${meant === null ? '' : `; did you mean "${meant}"?`}`;
}

function text(most: number, least = 1) {
  return z.string().min(least).max(most);
}

function uniqueTexts(most: number) {
  return z.array(text(most)).refine((all) => new Set(all).size === all.length, 'has an entry twice');
}

/** Operators of conditions. The schema, the evaluator and the docs are made from this list. */
export const conditionOperators = {
  equals: 'the same value; text without regard to case and outer spaces, "3" equals 3, "yes" equals true',
  not_equals: 'the opposite of equals; true for a variable that is not set',
  gt: 'a number greater than this one',
  gte: 'a number greater than or equal to this one',
  lt: 'a number less than this one',
  lte: 'a number less than or equal to this one',
  contains: 'its text contains this text, without regard to case',
  startsWith: 'its text starts with this text, without regard to case',
  endsWith: 'its text ends with this text, without regard to case',
  matches: 'its text matches this regular expression, without regard to case',
  in: 'equals one of these values',
} as const;
export type ConditionOperator = keyof typeof conditionOperators;

const Anything = z.json();

const conditionFields = {
  var: z.string().min(1).optional().describe('Name of a variable of the context, at its top level.'),
  ...({
    equals: Anything.optional(),
    not_equals: Anything.optional(),
    gt: z.number().optional(),
    gte: z.number().optional(),
    lt: z.number().optional(),
    lte: z.number().optional(),
    contains: z.union([z.string(), z.number(), z.boolean()]).optional(),
    startsWith: z.string().optional(),
    endsWith: z.string().optional(),
    matches: z.string().refine(isRegExp, { error: 'is not a regular expression' }).optional(),
    in: z.array(Anything).optional(),
  } satisfies Record<ConditionOperator, z.ZodType>),
  get and(): z.ZodOptional<z.ZodArray<typeof Condition>> {
    return z.array(Condition).optional();
  },
  get or(): z.ZodOptional<z.ZodArray<typeof Condition>> {
    return z.array(Condition).optional();
  },
  get not(): z.ZodOptional<typeof Condition> {
    return Condition.optional();
  },
};

function isRegExp(pattern: string): boolean {
  try {
    new RegExp(pattern, 'i');
    return true;
  } catch {
    return false;
  }
}

/** An object, because the field is optional: an empty condition is true. */
export interface Condition {
  var?: string | undefined;
  equals?: z.core.util.JSONType | undefined;
  not_equals?: z.core.util.JSONType | undefined;
  gt?: number | undefined;
  gte?: number | undefined;
  lt?: number | undefined;
  lte?: number | undefined;
  contains?: string | number | boolean | undefined;
  startsWith?: string | undefined;
  endsWith?: string | undefined;
  matches?: string | undefined;
  in?: z.core.util.JSONType[] | undefined;
  and?: Condition[] | undefined;
  or?: Condition[] | undefined;
  not?: Condition | undefined;
}
export const Condition: z.ZodType<Condition> = strict(conditionFields).meta({
  id: 'Condition',
}) as unknown as z.ZodType<Condition>;

const gateKinds = ['coordinator_eval', 'human_approval'] as const;
export type GateKind = (typeof gateKinds)[number];

const ConfirmationObject = strict({
  kind: z.enum(gateKinds).optional(),
  condition: Condition.optional(),
  ...conditionFields,
});
export const Confirmation = z.union([z.boolean(), ConfirmationObject]);
export type Confirmation = z.infer<typeof Confirmation>;

export const WorkflowTier = z.enum(['lightweight', 'mid', 'heavy']);
export type WorkflowTier = z.infer<typeof WorkflowTier>;

const StepId = z
  .string()
  .regex(/^[a-z0-9-]+$/, 'a step id has small letters, digits and hyphens')
  .min(3)
  .max(64);

const PromptPart = z.union([
  strict({ kind: z.literal('text'), text: z.string() }),
  strict({ kind: z.literal('ref'), refId: z.string().min(1) }),
]);
const PromptValue = z.union([z.string().min(1), z.array(PromptPart).min(1)]);
export type PromptValue = z.infer<typeof PromptValue>;

const PromptBlocks = strict({
  goal: PromptValue.optional(),
  constraints: z.array(PromptValue).optional(),
  procedure: z.array(PromptValue).optional(),
  outputRequired: z.record(z.string(), PromptValue).optional(),
  verify: z.array(PromptValue).optional(),
});
export type PromptBlocks = z.infer<typeof PromptBlocks>;

const PromptFragment = strict({
  id: text(64),
  when: Condition.optional(),
  text: text(4096),
});

const TemplateCall = strict({
  templateId: z.string().min(1),
  args: z.record(z.string(), z.json()).optional(),
});

const OutputContract = strict({ contractRef: z.string().min(1), required: z.boolean().optional() });

const Consequence = strict({
  when: strict({ anyEqualsLevel: text(64), forAssessment: text(64).optional() }),
  effect: strict({ kind: z.literal('require_followup'), guidance: text(512) }),
});

const FunctionParameter = strict({
  name: z.string().regex(/^[A-Za-z_]\w*$/),
  type: z.enum(['string', 'number', 'boolean', 'array', 'object']),
  required: z.boolean().optional(),
  description: z.string().optional(),
  enum: z.array(z.json()).optional(),
  default: z.json().optional(),
});
export const FunctionDefinition = strict({
  name: z.string().regex(/^[A-Za-z_]\w*$/),
  definition: z.string().min(1),
  parameters: z.array(FunctionParameter).optional(),
  scope: z.enum(['workflow', 'loop', 'step']).optional(),
});
export type FunctionDefinition = z.infer<typeof FunctionDefinition>;
const FunctionCall = strict({ name: z.string(), args: z.record(z.string(), z.json()) });

/** One rule about the text of notes, or several combined. */
export interface ProseRule {
  type?: 'contains' | 'regex' | 'length' | 'schema' | undefined;
  value?: string | undefined;
  pattern?: string | undefined;
  flags?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
  schema?: Record<string, z.core.util.JSONType> | undefined;
  message?: string | undefined;
  condition?: Condition | undefined;
  and?: ProseRule[] | undefined;
  or?: ProseRule[] | undefined;
  not?: ProseRule | undefined;
}
export const ProseRule: z.ZodType<ProseRule> = strict({
  type: z.enum(['contains', 'regex', 'length', 'schema']).optional(),
  value: z.string().optional(),
  pattern: z.string().optional(),
  flags: z.string().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  schema: z.record(z.string(), z.json()).optional(),
  message: z.string().optional(),
  condition: Condition.optional(),
  get and(): z.ZodOptional<z.ZodArray<typeof ProseRule>> {
    return z.array(ProseRule).optional();
  },
  get or(): z.ZodOptional<z.ZodArray<typeof ProseRule>> {
    return z.array(ProseRule).optional();
  },
  get not(): z.ZodOptional<typeof ProseRule> {
    return ProseRule.optional();
  },
}).meta({ id: 'ProseRule' }) as unknown as z.ZodType<ProseRule>;

/** Joinery's own: a check that Joinery runs. */
export const WorkflowCheck = z.discriminatedUnion('kind', [
  strict({ kind: z.literal('gates'), mode: z.enum(['fast', 'full']).optional() }),
  strict({ kind: z.literal('ground'), files: z.array(z.string()).optional() }),
  strict({
    kind: z.literal('check'),
    base: z.string().optional(),
    branches: z.array(z.string()).optional().describe('Default: the checkout, with what is not committed.'),
  }),
  strict({
    kind: z.literal('command'),
    argv: z.array(z.string().min(1)).min(1),
    claim: z.enum(['test', 'build', 'lint', 'typecheck']).optional(),
    timeoutSeconds: z.int().positive().optional(),
  }),
]);
export type WorkflowCheck = z.infer<typeof WorkflowCheck>;

const JumpIf = strict({
  condition: Condition,
  target: z.string().min(1).describe('A step of the same list.'),
  maxJumps: z.int().min(1).max(100),
});

/** Joinery's own: what a step reads from the context and adds to it, and its todo list. */
const contextFields = {
  requires: z.array(z.string().min(1)).optional().describe('Variables this step reads.'),
  produces: z.array(z.string().min(1)).optional().describe('Variables this step sets; checked when it ends.'),
};

const commonFields = {
  id: StepId,
  title: text(128),
  runCondition: Condition.optional(),
  requireConfirmation: Confirmation.optional(),
  notesOptional: z.boolean().optional(),
};

export const StandardStep = strict({
  type: z.literal('step').optional(),
  ...commonFields,
  ...contextFields,
  prompt: text(8192).optional(),
  promptBlocks: PromptBlocks.optional(),
  templateCall: TemplateCall.optional(),
  promptFragments: z.array(PromptFragment).optional(),
  agentRole: text(1024, 10).optional(),
  modelTier: WorkflowTier.optional(),
  guidance: z.array(z.string().min(1)).optional(),
  askForFiles: z.boolean().optional(),
  hasValidation: z.boolean().optional(),
  validationCriteria: z.union([z.array(ProseRule), ProseRule]).optional(),
  outputContract: OutputContract.optional(),
  assessmentRefs: uniqueTexts(64).min(1).optional(),
  assessmentConsequences: z.array(Consequence).min(1).max(10).optional(),
  functionDefinitions: z.array(FunctionDefinition).optional(),
  functionCalls: z.array(FunctionCall).optional(),
  functionReferences: z.array(z.string()).optional(),
  audit: strict({ prompt: z.string().optional(), rubric: z.array(z.string()).optional() }).optional(),
  verification: strict({ command: z.string().optional(), prompt: z.string().optional() }).optional(),
  todoList: z.array(text(512)).min(1).optional(),
  jumpIf: JumpIf.optional(),
});
export type StandardStep = z.infer<typeof StandardStep>;

export const Delegation = strict({
  workflowId: z.string().min(1),
  goal: z.string().optional(),
  runCondition: Condition.optional(),
  contextMapping: z.record(z.string(), z.string()).optional(),
  args: z.record(z.string(), z.string()).optional(),
  modelTier: WorkflowTier.optional(),
  allowedTools: z.array(z.string()).optional(),
  isolation: z
    .enum(['full', 'task-only', 'blind'])
    .optional()
    .describe('What of the context reaches the delegate: all, the mapped values, or the goal alone.'),
  mode: z.enum(['read', 'edit']).optional().describe('edit: in a separate worktree. Default: read.'),
  package: AgentPackage.omit({ goal: true })
    .optional()
    .describe('Additional information for the delegate, under fixed headings and at most 8 KiB.'),
});
export type Delegation = z.infer<typeof Delegation>;

export const ParallelStep = strict({
  type: z.literal('parallel'),
  ...commonFields,
  ...contextFields,
  parallelDelegations: z.array(Delegation).min(1),
  synthesis: strict({ prompt: z.string().optional(), outputContract: OutputContract.optional() }).optional(),
  audit: z.unknown().optional(),
  verification: z.unknown().optional(),
});
export type ParallelStep = z.infer<typeof ParallelStep>;

export const CheckStep = strict({
  type: z.literal('check'),
  ...commonFields,
  prompt: text(8192).optional(),
  check: WorkflowCheck,
});
export type CheckStep = z.infer<typeof CheckStep>;

const Variable = z.string().regex(/^[A-Za-z_]\w*$/, 'is not a valid variable name');

export const LoopControl = strict({
  type: z.enum(['while', 'until', 'for', 'forEach']),
  maxIterations: z.int().min(1).max(1000),
  condition: Condition.optional(),
  conditionSource: z
    .discriminatedUnion('kind', [
      strict({
        kind: z.literal('artifact_contract'),
        contractRef: z.string().min(1),
        loopId: z.string().min(1),
      }),
      strict({ kind: z.literal('context_variable'), condition: Condition }),
    ])
    .optional(),
  items: z.string().min(1).optional(),
  count: z.union([z.int().min(0).max(1000), z.string().min(1)]).optional(),
  iterationVar: Variable.optional(),
  itemVar: Variable.optional(),
  indexVar: Variable.optional(),
});
export type LoopControl = z.infer<typeof LoopControl>;

export interface LoopStep {
  type: 'loop';
  id: string;
  title: string;
  runCondition?: Condition | undefined;
  requireConfirmation?: Confirmation | undefined;
  notesOptional?: boolean | undefined;
  functionDefinitions?: FunctionDefinition[] | undefined;
  loop: LoopControl;
  body: string | WorkflowStep[];
}
export type WorkflowStep = StandardStep | ParallelStep | CheckStep | LoopStep;

export const LoopStep: z.ZodType<LoopStep> = strict({
  type: z.literal('loop'),
  ...commonFields,
  functionDefinitions: z.array(FunctionDefinition).optional(),
  loop: LoopControl,
  get body(): z.ZodType<string | WorkflowStep[]> {
    return z.union([z.string().min(1), z.array(WorkflowStep)]) as z.ZodType<string | WorkflowStep[]>;
  },
}).meta({ id: 'LoopStep' }) as unknown as z.ZodType<LoopStep>;

export const WorkflowStep: z.ZodType<WorkflowStep> = z.union([
  StandardStep,
  LoopStep,
  ParallelStep,
  CheckStep,
]) as z.ZodType<WorkflowStep>;

/** By the value of `type`; a step without it is a standard step. */
export const stepSchemas = {
  step: StandardStep,
  loop: LoopStep,
  parallel: ParallelStep,
  check: CheckStep,
} as const;

const Dimension = strict({
  id: text(64),
  purpose: z.string().min(1),
  levels: uniqueTexts(64).min(2),
  required: z.boolean().optional(),
});
export const Assessment = strict({ id: text(64), purpose: text(256), dimensions: z.array(Dimension).min(1) });
export type Assessment = z.infer<typeof Assessment>;

const ExtensionPoint = strict({
  slotId: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/)
    .min(2)
    .max(64),
  purpose: text(256),
  default: text(128),
  acceptedKinds: z.array(z.enum(['routine', 'workflow'])).optional(),
});

export const Reference = strict({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_-]*$/)
    .min(2)
    .max(64),
  title: text(128),
  source: text(512),
  purpose: text(512),
  authoritative: z.boolean(),
  resolveFrom: z.enum(['workspace', 'package']).optional(),
});

const metricsProfiles = ['coding', 'review', 'research', 'design', 'ticket', 'none'] as const;

/** A workflow as its author writes it, in JSON or YAML. */
export const Workflow = strict({
  $schema: z.string().optional(),
  id: z
    .string()
    .regex(
      /^([a-z0-9_-]+|[a-z][a-z0-9_-]+\.[a-z][a-z0-9_-]+)$/,
      'an id has small letters, digits, "_" and "-", and one dot at most',
    )
    .min(3)
    .max(64),
  name: text(128),
  description: text(512),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/, 'is not a version such as 1.0.0'),
  steps: z.array(WorkflowStep).min(1),
  modelTier: WorkflowTier.optional(),
  metaGuidance: uniqueTexts(256).optional(),
  preconditions: uniqueTexts(256).optional(),
  clarificationPrompts: uniqueTexts(256).optional(),
  functionDefinitions: z.array(FunctionDefinition).optional(),
  features: uniqueTexts(64).optional(),
  assessments: z.array(Assessment).optional(),
  extensionPoints: z.array(ExtensionPoint).optional(),
  references: z.array(Reference).optional(),
  recommendedPreferences: strict({
    recommendedAutonomy: z.string().optional(),
    recommendedRiskPolicy: z.string().optional(),
  }).optional(),
  metricsProfile: z.enum(metricsProfiles).optional(),
  about: z.string().max(4096).optional(),
  examples: z.array(text(120, 10)).min(1).max(6).optional(),
  validatedAgainstSpecVersion: z.int().optional(),
  tags: z.array(text(64)).optional(),
  inputs: z
    .array(z.string().min(1))
    .optional()
    .describe('Variables that are given when it starts. With it, every variable read needs a producer.'),
});
export type Workflow = z.infer<typeof Workflow>;
