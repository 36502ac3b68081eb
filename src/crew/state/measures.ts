import type { Measures } from '#schema/measures.ts';
import { claimsOf } from './claims.ts';
import { finalReportOf } from './final-report.ts';
import type { RunState } from './state.ts';

/** The measures that follow from the log of a run. Citations between tasks are in their handoffs. */
export function measuresOf(run: string, state: RunState): Omit<Measures, 'coordination'> {
  const steps = [...state.steps.values()];
  const open = finalReportOf(run, state).findings.filter(({ isFixed }) => !isFixed);
  const claims = steps.flatMap(claimsOf);
  const criteria = steps.flatMap(({ task }) => task.acceptance);
  const confirmed = steps.flatMap(({ attempts }) => attempts.at(-1)?.grounding?.criteria ?? []);
  return {
    compatibility: {
      open: open.length,
      byRule: Object.fromEntries(
        [...Map.groupBy(open, ({ rule }) => rule)].map(([rule, all]) => [rule, all.length]),
      ),
    },
    evidence: {
      proven: claims.filter(({ status, evidence }) => status === 'pass' && evidence !== undefined).length,
      claims: claims.length,
    },
    requirements: {
      confirmed: confirmed.filter(({ status }) => status === 'met').length,
      criteria: criteria.length,
    },
  };
}
