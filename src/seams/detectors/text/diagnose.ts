import { symbolId } from '../../../model/identity.ts';
import type { Diagnosis } from '../../diagnosis.ts';
import type { SeamProblem } from '../../union-problems.ts';

/** Rules about the merged text itself rather than about symbols. */
export function diagnoseText({ problem, consumer, provider }: SeamProblem): Diagnosis | null {
  const shared = {
    confidence: 'proven',
    fix: null,
    mechanical: { consumer: true, provider: true },
    provider: null,
  } as const;
  switch (problem.kind) {
    case 'syntax':
      return {
        ...shared,
        rule: 'T03',
        providerKey: symbolId(problem.file, ''),
        message: `${problem.file} parses on ${consumer.ref} and on ${provider.ref}, but not when both are merged: ${problem.statement}`,
        suggestion: `rebase one branch on the other and repair ${problem.file}`,
      };
    case 'duplicate-key':
      return {
        ...shared,
        rule: 'T06',
        providerKey: problem.provider,
        message: `${consumer.ref} and ${provider.ref} each add the key ${JSON.stringify(problem.provider.slice(problem.provider.indexOf('#') + 1))} to ${problem.file}; one value is silently lost`,
        suggestion: 'keep one of the two entries',
      };
    default:
      return null;
  }
}
