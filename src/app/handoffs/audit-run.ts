import type { RunRoom } from '#app/runs/run-room.ts';
import type { RunState, StepState } from '#crew/state/state.ts';
import type { AuditedAgent, CheckedInput, CheckedOutput } from '#handoff/audit/agents.ts';
import { reportOn } from '#handoff/audit/audit-documents.ts';
import { auditFinding } from '#handoff/audit/findings.ts';
import { refText } from '#handoff/library.ts';
import type { AuditFinding, AuditReport } from '#schema/audit.ts';
import { Handoff } from '#schema/handoff.ts';

/** Did the tasks of a run work as a team? From the handoffs in its journal, whatever form they had. */
export function auditRun({ runs, state: read }: Pick<RunRoom, 'runs' | 'state'>, run: string): AuditReport {
  const state = read(run);
  const handoffOf = (step: StepState) => {
    const hash = step.attempts.at(-1)?.played?.handoff;
    const text = hash ? runs.engine.artifact(run, hash) : null;
    return text === null ? null : Handoff.parse(JSON.parse(text));
  };
  const begun = [...state.steps.values()].filter(({ attempts }) => attempts.length > 0);
  const agents = begun.map((step) => agentOf(step, handoffOf(step), state));
  return reportOn(
    { agents, findings: begun.flatMap((step) => findingsOf(step, handoffOf(step) !== null)) },
    {
      subject: { kind: 'run', name: run, path: runs.folders.reports(run) },
      language: 'en',
      iteration: null,
      undeclaredSections: [],
      code: {
        diff: { status: 'checked', detail: 'claimed files were compared with the commit of each attempt' },
        claims: [],
      },
    },
  );
}

function fileOf({ task, attempts }: StepState): string {
  return `handoff/${task.id}@${attempts.length}`;
}

function agentOf(step: StepState, handoff: Handoff | null, state: RunState): AuditedAgent {
  const { id, dependsOn } = step.task;
  const file = fileOf(step);
  const dependants = (state.dependants.get(id) ?? []).filter(
    // One that is still at work may cite it yet.
    (task) => (state.steps.get(task)?.attempts.at(-1)?.outcome ?? null) !== null,
  );
  return {
    id,
    names: [id, 'developer'],
    // Tasks wait for those they depend on, so what they hand on always goes ahead.
    order: null,
    mayStart: dependsOn.length === 0,
    isTerminal: dependants.length === 0,
    handsOnTo: [],
    files: [file],
    record: handoff && {
      inputs: inputsOf(handoff, file),
      outputs: outputsOf(handoff, file, id, dependants),
      decisions: handoff.decisions.length,
      none: handoff.consumed.length === 0 ? ['inputs'] : [],
      isComplete: true,
      malformed: 0,
    },
  };
}

/** Citing a section of a handoff counts as citing the handoff. */
function inputsOf({ consumed }: Handoff, file: string): CheckedInput[] {
  return consumed.flatMap(({ ref, usedFor }) => {
    const refs = new Set([refText(ref), ...(ref.artifact.startsWith('handoff/') ? [ref.artifact] : [])]);
    return [...refs].map((text) => ({ ref: text, file, line: 1, state: 'ok', usedFor }) as const);
  });
}

/** What a task declared, and its handoff itself, which the plan addresses to every task that depends on it. */
function outputsOf(
  { produced }: Handoff,
  file: string,
  id: string,
  dependants: readonly string[],
): CheckedOutput[] {
  const declared = produced.map(
    ({ ref, to }) => ({ ref: refText(ref), file, line: 1, state: 'ok', to }) as const,
  );
  const addressed = new Set(declared.flatMap(({ to }) => to));
  const silent = dependants.filter((task) => !addressed.has(task));
  return silent.length === 0
    ? declared
    : [...declared, { ref: `handoff/${id}`, file, line: 1, state: 'ok', to: silent }];
}

function findingsOf(step: StepState, hasHandoff: boolean): AuditFinding[] {
  const where = { agent: step.task.id, file: fileOf(step), line: 1 };
  const attempt = step.attempts.at(-1);
  const missing =
    hasHandoff || attempt?.outcome === null || attempt?.outcome === 'interrupted'
      ? []
      : [
          auditFinding(
            'MISSING_HANDOFF_RECORD',
            where,
            'handoff',
            'it left no valid handoff',
            `joinery why ${step.task.id}`,
          ),
        ];
  const remarks = (attempt?.recorded?.findings ?? []).map(({ flag, message }) =>
    auditFinding(flag, where, message, message),
  );
  // The graph tells of orphans by itself.
  return [...missing, ...remarks.filter(({ flag }) => flag !== 'ORPHAN')];
}
