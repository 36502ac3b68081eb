import { type ChangedCall, changedCalls } from '#check/members/changed-calls.ts';
import type { ReadMember } from '#check/members/member.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { type Place, type Problem, place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import type { RuleId } from '#schema/rules.ts';
import { flippedAsync } from './contracts/async-flip.ts';
import { changedFailure } from './contracts/failure-contract.ts';
import { swappedParameters } from './contracts/parameter-order.ts';
import { changedReturn } from './contracts/return-contract.ts';
import { followed } from './diagnosis-parts.ts';

/** What a rule says about a call whose callee has changed. */
export interface BrokenContract {
  readonly rule: RuleId;
  /** Said of the callee in the union: `load is asynchronous now`. */
  readonly statement: string;
  readonly message: string;
  readonly suggestion: string;
}

type ContractRule = (call: ChangedCall) => BrokenContract | null;

/** One call breaks one contract: the first rule that has something to say. */
const contractRules: readonly ContractRule[] = [
  flippedAsync,
  swappedParameters,
  changedReturn,
  changedFailure,
];

/** S06–S09: calls that still bind, but rely on what the other branch has changed. They are likely, never proven. */
export function brokenContracts(a: ReadMember, b: ReadMember, union: CodeTree): DiagnosedProblem[] {
  return changedCalls(a, b, union).flatMap((call) => {
    for (const rule of contractRules) {
      const broken = rule(call);
      if (broken) return [diagnosed(call, broken)];
    }
    return [];
  });
}

function diagnosed({ consumer, provider, file, now }: ChangedCall, broken: BrokenContract): DiagnosedProblem {
  const name = symbolPath(now.definition);
  const callee = symbolId(now.path, name);
  const at = place(now.path, now.definition, name);
  return {
    problem: contractProblem(file, place(file, now.use, now.use.scope), callee, at, broken),
    consumer,
    provider,
    diagnosis: {
      rule: broken.rule,
      providerKey: callee,
      confidence: 'likely',
      message: broken.message,
      suggestion: broken.suggestion,
      fix: null,
      mechanical: followed,
      provider: { ...at, removed: false },
    },
  };
}

export function contractProblem(
  file: string,
  site: Place,
  provider: string,
  definedAt: Place,
  { rule, statement }: Pick<BrokenContract, 'rule' | 'statement'>,
): Problem {
  return {
    kind: 'contract',
    key: JSON.stringify(['contract', rule, site.symbol, provider]),
    consumer: site.symbol,
    provider,
    file,
    sites: [site],
    definedAt: [definedAt],
    proven: false,
    tier: 'R1',
    statement,
    mismatch: null,
    tried: [],
  };
}
