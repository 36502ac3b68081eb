import { z } from 'zod';
import { findCycle } from '#lib/graph.ts';
import { ModelTier } from './agent.ts';
import { Contract, contractProblems } from './contract.ts';
import { type UnknownKey, unknownKeys } from './unknown-keys.ts';

const TaskId = z.string().regex(/^[A-Za-z0-9._-]{1,40}$/, 'must be 1 to 40 of A-Z a-z 0-9 . _ -');

const AcceptanceCriterion = z.object({
  text: z.string().min(1),
  verifyBy: z.enum(['test', 'schema_check', 'file_exists', 'lint', 'manual']),
  arg: z.string().optional().describe('What to verify: a test id, a path, a command name.'),
});

export const Task = z.object({
  id: TaskId,
  title: z.string().min(1),
  description: z.string().default(''),
  dependsOn: z.array(TaskId).default([]),
  files: z
    .array(z.string().min(1))
    .default([])
    .describe('Paths the task means to change, relative to the repository; a folder ends with "/".'),
  changes: z
    .array(z.string().regex(/^[^#]+#./, 'must be <path>#<name>'))
    .optional()
    .describe('Symbols the task changes: "src/user.ts#User". Default: everything its files export.'),
  tier: ModelTier.optional().describe('Which class of model the task needs; default: standard.'),
  isolation: z
    .discriminatedUnion('mode', [
      z.object({ mode: z.enum(['full', 'task-only']) }),
      z.object({ mode: z.literal('blind'), keepProjectIdentity: z.boolean().optional() }),
      z.object({
        mode: z.literal('custom'),
        include: z.array(z.string()),
        exclude: z.array(z.string()).optional(),
      }),
    ])
    .optional()
    .describe('What reaches its agent of all that is known; default: everything. docs/handoffs.md'),
  inputs: z
    .array(z.string().min(1))
    .max(20)
    .optional()
    .describe('Files whose text its agent gets; a blind agent sees only these and its role.'),
  agent: z.string().optional().describe('Driver for this task; default: the one of the run.'),
  workflow: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Workflow whose steps its agent is led through; default: the one of the run. "none": it works in one go.',
    ),
  acceptance: z.array(AcceptanceCriterion).default([]),
  specRefs: z
    .array(z.object({ spec: z.string(), section: z.string().optional(), requirement: z.string().optional() }))
    .optional(),
  rationale: z.string().optional(),
  assumptions: z.array(z.string()).optional(),
});
export type Task = z.infer<typeof Task>;

export const Plan = z.object({
  schema: z.literal('joinery/plan@1'),
  base: z
    .string()
    .min(1)
    .optional()
    .describe('Commit-ish the work starts from; default: the checked-out one.'),
  spec: z
    .object({
      path: z.string().min(1).describe('The spec it was made from, from the top of the repository.'),
      sha256: z.string().optional().describe('Of the spec it was made from.'),
    })
    .optional(),
  approach: z
    .object({
      mode: z.enum(['parallel', 'serial']).describe('serial: one task after the other.'),
      reason: z.string(),
    })
    .optional(),
  tasks: z.array(Task).min(1),
  contract: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('A joinery/contract@1, which is checked; anything else is passed on to agents as it is.'),
  concerns: z.array(z.string()).optional().describe('What every task must consider.'),
  validation: z
    .array(
      z.object({
        severity: z.enum(['blocking', 'important', 'minor', 'info']),
        issue: z.string(),
        requirement: z.string().optional(),
        recommendation: z.string().optional(),
      }),
    )
    .optional(),
  origin: z
    .object({ key: z.string(), sha256: z.string() })
    .optional()
    .describe('Of a plan that joinery plan made: what it rests on, and the digest that shows later edits.'),
});
export type Plan = z.infer<typeof Plan>;

let shape: object | undefined;
let contractShape: object | undefined;

/** Keys of a written plan that the schema does not have. */
export function unknownPlanKeys(written: unknown): UnknownKey[] {
  shape ??= z.toJSONSchema(Plan, { io: 'input' });
  contractShape ??= z.toJSONSchema(Contract, { io: 'input' });
  const contract = (written as { contract?: unknown } | null)?.contract;
  const isOurs = (contract as { schema?: unknown } | null | undefined)?.schema === 'joinery/contract@1';
  return [
    ...unknownKeys(written, shape),
    ...(isOurs ? unknownKeys(contract, contractShape, ['contract']) : []),
  ];
}

/** What is wrong with the graph of a well-formed plan, in words a person can act on; empty when it can run. */
export function planProblems(plan: Plan): string[] {
  const ids = new Set<string>();
  const problems: string[] = [];
  for (const { id } of plan.tasks) {
    if (ids.has(id)) problems.push(`task ${id} is defined twice`);
    // `-x` would be an option in the commands Joinery prints, and `__proto__` cannot be a key of an object.
    if (!/^[A-Za-z0-9]/.test(id)) problems.push(`task id ${id} does not begin with a letter or a figure`);
    ids.add(id);
  }
  for (const task of plan.tasks) {
    for (const dependency of task.dependsOn) {
      if (!ids.has(dependency))
        problems.push(`task ${task.id} depends on ${dependency}, which does not exist`);
    }
  }
  const cycle = cycleOf(plan);
  if (cycle) problems.push(`tasks depend on each other in a circle: ${cycle.join(' → ')}`);
  return [...problems, ...problemsOfContract(plan, ids)];
}

function problemsOfContract({ contract }: Plan, ids: ReadonlySet<string>): string[] {
  if (contract?.schema !== 'joinery/contract@1') return [];
  const parsed = Contract.safeParse(contract);
  return parsed.success
    ? contractProblems(parsed.data, ids)
    : parsed.error.issues.map(({ path, message }) => `contract.${path.join('.')}: ${message}`);
}

/** The ids of one cycle, the first one repeated at the end; null when there is none. */
function cycleOf(plan: Plan): string[] | null {
  const dependencies = new Map(plan.tasks.map((task) => [task.id, task.dependsOn]));
  return findCycle(dependencies.keys(), (id) => dependencies.get(id) ?? []);
}
