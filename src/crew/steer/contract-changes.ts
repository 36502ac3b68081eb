import { applyChange, describeChange, tasksDependingOn } from '#contract/change/change.ts';
import { contractDigest } from '#contract/change/digest.ts';
import type { RunState } from '#crew/state/state.ts';
import { Contract, type ContractChange } from '#schema/contract.ts';
import type { DataOf, EventDraft } from '#schema/event.ts';
import type { AttemptFinding } from '#schema/run.ts';

/** The decision about requested contract changes. */
export interface JudgedChanges {
  /** A person has to decide. */
  readonly pending: readonly ContractChange[];
  /** The policy of the run allows them. */
  readonly accepted: readonly ContractChange[];
  readonly findings: readonly AttemptFinding[];
}

type Asking = Pick<RunState, 'plan' | 'settings' | 'questions'>;

/** Decides by policy, and by what a person decided before: the same question is not asked twice. */
export function judgeChanges(state: Asking, task: string, changes: readonly ContractChange[]): JudgedChanges {
  const pending: ContractChange[] = [];
  const accepted: ContractChange[] = [];
  const findings: AttemptFinding[] = [];
  const refuse = (change: ContractChange, why: string) =>
    findings.push({
      fingerprint: `contract-change:${change.item}`,
      severity: 'blocking',
      message: `the contract does not change, ${why}. You requested: ${describeChange(change)}`,
    });
  const contract = contractIn(state);
  for (const change of changes) {
    if (!contract) {
      refuse(change, 'the plan has none');
      continue;
    }
    const applied = applyChange(contract, change, task, taskIds(state));
    if (applied.status === 'same') continue;
    if (applied.status === 'impossible') refuse(change, applied.reason);
    else if (wasRefused(state, task, change)) refuse(change, 'as was decided before');
    else if (state.settings.contractChanges === 'refuse') refuse(change, 'by the policy of this run');
    else (state.settings.contractChanges === 'accept' ? accepted : pending).push(change);
  }
  return { pending, accepted, findings };
}

/** Changes the contract, signs it again and tells the tasks that depend on each item, but not the one that asked. */
export function contractedEvents(
  state: Pick<RunState, 'plan'>,
  task: string,
  changes: readonly ContractChange[],
  by: DataOf<'run.contracted'>['by'],
): EventDraft<'run.contracted'>[] {
  let contract = contractIn(state);
  const events: EventDraft<'run.contracted'>[] = [];
  for (const change of changes) {
    const applied: ReturnType<typeof applyChange> | null =
      contract && applyChange(contract, change, task, taskIds(state));
    if (!contract || applied?.status !== 'changed') continue;
    // Notify tasks that depend on the old item as well as those that depend on the new one.
    const told = new Set(
      [contract, applied.contract].flatMap((each) => tasksDependingOn(each, change.item, state.plan.tasks)),
    );
    told.delete(task);
    events.push({
      type: 'run.contracted',
      data: {
        task,
        change,
        by,
        before: contractDigest(contract),
        sha256: contractDigest(applied.contract),
        contract: applied.contract,
        told: state.plan.tasks.map(({ id }) => id).filter((id) => told.has(id)),
      },
    });
    contract = applied.contract;
  }
  return events;
}

function contractIn({ plan }: Pick<RunState, 'plan'>): Contract | null {
  const parsed = Contract.safeParse(plan.contract);
  return parsed.success ? parsed.data : null;
}

function taskIds({ plan }: Pick<RunState, 'plan'>): Set<string> {
  return new Set(plan.tasks.map(({ id }) => id));
}

function wasRefused({ questions }: Asking, task: string, change: ContractChange): boolean {
  const key = ({ item, set }: ContractChange) => JSON.stringify([item, set]);
  return [...questions.values()].some(
    ({ question, answer }) =>
      question.kind === 'contract' &&
      question.about === task &&
      answer === 'refuse' &&
      (question.changes ?? []).some((each) => key(each) === key(change)),
  );
}
