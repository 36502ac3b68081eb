import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { Integration } from '#integrate/integration.ts';
import type { IntegrationStep, KnownFinding, LeftBranch, Loss, Receipt } from '#schema/integration.ts';

/** Collects what the steps of an integration found, and ends it. */
export class StepRecord {
  readonly steps: IntegrationStep[] = [];
  readonly left: LeftBranch[] = [];
  merged: readonly BranchTip[] = [];
  findings: readonly KnownFinding[] = [];

  add(name: IntegrationStep['name'], status: IntegrationStep['status'], detail: string): void {
    this.steps.push({ name, status, detail });
  }

  end(
    status: Integration['status'],
    { lost = [], receipt = null }: { lost?: readonly Loss[]; receipt?: Receipt | null } = {},
  ): Integration {
    const { steps, merged, left, findings } = this;
    return { status, steps, merged, left, lost, findings, receipt };
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
