import type { DefectReport, DefectStatus } from '#schema/defect.ts';

/** Allowed transitions. Nothing follows a terminal status. */
const transitions: Readonly<Record<DefectStatus, readonly DefectStatus[]>> = {
  filed: ['triaging'],
  triaging: ['triaged', 'rejected', 'escalated'],
  triaged: ['reproducing', 'fixing', 'escalated'],
  reproducing: ['reproduced', 'escalated'],
  reproduced: ['fixing'],
  fixing: ['fixed', 'escalated'],
  fixed: ['reviewing', 'integrating'],
  reviewing: ['reviewed'],
  reviewed: ['integrating'],
  integrating: ['resolved'],
  resolved: [],
  rejected: [],
  escalated: [],
};

export function isTerminal(status: DefectStatus): boolean {
  return transitions[status].length === 0;
}

/** The same defect in another status; a transition that is not allowed is an error that names the allowed ones. */
export function advance(defect: DefectReport, status: DefectStatus, at: string): DefectReport {
  const allowed = transitions[defect.status];
  if (!allowed.includes(status)) {
    const valid = allowed.length === 0 ? 'nothing follows it' : `valid: ${allowed.join(', ')}`;
    throw new Error(`a defect that is ${defect.status} cannot become ${status}; ${valid}`);
  }
  return { ...defect, status, updatedAt: at, history: [...defect.history, { status, at }] };
}
