import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { Integration } from '#integrate/integration.ts';
import type { Finding } from '#schema/check-report.ts';
import type { IntegrationStep, KnownFinding, LeftBranch, Loss, Receipt } from '#schema/integration.ts';

/** Collects what the steps of an integration found, and ends it. */
export class StepRecord {
  readonly steps: IntegrationStep[] = [];
  readonly left: LeftBranch[] = [];
  merged: readonly BranchTip[] = [];
  findings: readonly KnownFinding[] = [];
  /** Findings that would break the target and that nobody has judged. */
  asking: readonly Finding[] = [];

  add(name: IntegrationStep['name'], status: IntegrationStep['status'], detail: string): void {
    this.steps.push({ name, status, detail });
  }

  /** Another end of a step. */
  set(name: IntegrationStep['name'], status: IntegrationStep['status'], detail: string): void {
    const at = this.steps.findLastIndex((step) => step.name === name);
    this.steps.splice(at < 0 ? 0 : at, at < 0 ? 0 : 1, { name, status, detail });
  }

  end(
    status: Integration['status'],
    {
      lost = [],
      receipt = null,
      unrun = null,
    }: { lost?: readonly Loss[]; receipt?: Receipt | null; unrun?: string | null } = {},
  ): Integration {
    const { steps, merged, left, findings } = this;
    return { status, steps, merged, left, lost, findings, unrun, receipt };
  }
}

/** A step returns what the next steps need, or the end of the integration. */
export function isEnd<T extends object>(result: T | Integration): result is Integration {
  return 'receipt' in result;
}

/** '1 change', '2 changes'. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
