import type { ChangedCall } from '#check/members/changed-calls.ts';
import type { Found } from '#check/rules/rule.ts';
import type { CallShape } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { type OtherKind, type Place, type ProblemOf, place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import type { RuleId } from '#schema/rules.ts';

/** What a rule reports about a call whose callee has changed. */
export interface BrokenContract {
  /** About the callee in the union: `load is asynchronous now`. */
  readonly statement: string;
  readonly message: string;
  readonly suggestion: string;
  /** A compiler rejects the call. */
  readonly proven?: boolean;
}

/** Something is read from the value of a call. */
export function readsResult({ result }: CallShape): boolean {
  return result === 'member' || result === 'item';
}

/** A call that still binds, but relies on what the other branch has changed: likely, unless a compiler decides it. */
export function brokenCall(
  rule: RuleId,
  { consumer, provider, file, now }: ChangedCall,
  { statement, message, suggestion, proven = false }: BrokenContract,
): Found {
  const name = symbolPath(now.definition);
  const callee = symbolId(now.path, name);
  const at = place(now.path, now.definition, name);
  return {
    problem: {
      ...contractProblem(rule, file, place(file, now.use, now.use.scope), callee, at, statement),
      proven,
    },
    consumer,
    provider,
    diagnosis: {
      providerKey: callee,
      confidence: proven ? 'proven' : 'likely',
      message,
      suggestion,
      provider: { ...at, removed: false },
    },
  };
}

export function contractProblem(
  rule: RuleId,
  file: string,
  site: Place,
  provider: string,
  definedAt: Place,
  statement: string,
): ProblemOf<OtherKind> {
  return {
    kind: rule,
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
