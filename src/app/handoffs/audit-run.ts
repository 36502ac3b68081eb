import type { RunRoom } from '#app/runs/run-room.ts';
import { factsOfText } from '#code/extraction/read-apart.ts';
import { givenWork } from '#crew/state/given-work.ts';
import type { RunState, StepState } from '#crew/state/state.ts';
import type { Git } from '#git/call/git.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import type { AuditedAgent, CheckedInput, CheckedOutput } from '#handoff/audit/agents.ts';
import { reportOn } from '#handoff/audit/audit-documents.ts';
import { auditFinding } from '#handoff/audit/findings.ts';
import { languageOf } from '#handoff/audit/language.ts';
import { placesIn, verifyClaims } from '#handoff/audit/verify-claims.ts';
import { refText } from '#handoff/library.ts';
import type { AuditFinding, CodeClaim } from '#schema/audit.ts';
import { Handoff } from '#schema/handoff.ts';
import type { OpenAudit } from './audit-here.ts';
import { rangesBetween } from './changed-ranges.ts';

/** Checks whether the tasks of a run worked as a team, from the handoffs in its journal in any format. */
export async function auditRun(
  { runs, state: read, repository }: Pick<RunRoom, 'runs' | 'state' | 'repository'>,
  run: string,
): Promise<OpenAudit> {
  const state = read(run);
  const handoffOf = (step: StepState) => {
    const hash = step.attempts.at(-1)?.played?.handoff;
    const text = hash ? runs.engine.artifact(run, hash) : null;
    return text === null ? null : Handoff.parse(JSON.parse(text));
  };
  const begun = [...state.steps.values()].filter(({ attempts }) => attempts.length > 0);
  const agents = begun.map((step) => agentOf(step, handoffOf(step), state));
  const findings = begun.flatMap((step) => findingsOf(step, handoffOf(step) !== null));
  const language = languageOf(begun.map((step) => wordsOf(handoffOf(step))));
  const texts = new Map<string, string>();
  const claims = [];
  for (const agent of agents) {
    const { commit = null, base = null } = state.steps.get(agent.id)?.attempts.at(-1) ?? {};
    if (commit !== null && base !== null)
      claims.push(...(await claimsOfTask(repository.git, agent, base, commit, texts)));
  }
  const detail = 'claimed files and lines were compared with the commit of each attempt';
  return {
    code: { diff: { status: 'checked', detail }, claims, judge: null },
    report: (code) =>
      reportOn(
        { agents, findings },
        {
          subject: { kind: 'run', name: run, path: runs.folders.reports(run) },
          language,
          iteration: null,
          undeclaredSections: [],
          code,
        },
      ),
    read: ({ agent, file }) => texts.get(`${agent}\0${file}`) ?? null,
  };
}

/** The free text of the agent. */
function wordsOf(handoff: Handoff | null): string {
  if (handoff === null) return '';
  const { decisions, limitations, assumptions, consumed } = handoff;
  return [
    ...decisions.flatMap(({ what, why }) => [what, why]),
    ...limitations,
    ...assumptions.map(({ text }) => text),
    ...consumed.map(({ usedFor }) => usedFor),
  ].join('\n');
}

/** Lines that a handoff cites, looked up in the commit of its attempt and in the diff of that attempt. */
async function claimsOfTask(
  git: Git,
  agent: AuditedAgent,
  base: string,
  commit: string,
  texts: Map<string, string>,
): Promise<CodeClaim[]> {
  const said = agent.record?.inputs.map(({ usedFor }) => usedFor) ?? [];
  const files = [...new Set(said.flatMap((text) => placesIn(text).map(({ file }) => file)))];
  if (files.length === 0) return [];
  const plain = files.filter((file) => !file.startsWith('/') && !file.split('/').includes('..'));
  const found = await readFilesAt(git, commit, plain);
  for (const [file, text] of found) texts.set(`${agent.id}\0${file}`, text);
  return verifyClaims([agent], {
    read: (file) => {
      const text = found.get(file);
      return text === undefined ? 'missing' : { text };
    },
    changed: await rangesBetween(git, base, commit),
    factsOf: factsOfText,
  });
}

function fileOf({ task, attempts }: StepState): string {
  return `handoff/${task.id}@${attempts.length}`;
}

function agentOf(step: StepState, handoff: Handoff | null, state: RunState): AuditedAgent {
  const { id, dependsOn } = step.task;
  const file = fileOf(step);
  const dependants = (state.dependants.get(id) ?? []).filter((task) => {
    const attempt = state.steps.get(task)?.attempts.at(-1);
    // A task that is still running may cite it later; one that never received it cannot.
    return (attempt?.outcome ?? null) !== null && givenWork([id], attempt?.prompt).length > 0;
  });
  return {
    id,
    names: [id, 'developer'],
    // A task starts after the tasks it depends on, so handoffs always point forward.
    order: null,
    mayStart: givenWork(dependsOn, step.attempts.at(-1)?.prompt).length === 0,
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
    // Several citations of the same code are one claim.
    return [...refs].map(
      (text, index) =>
        ({ ref: text, file, line: 1, state: 'ok', usedFor: index === 0 ? usedFor : '' }) as const,
    );
  });
}

/** The declared outputs of a task, and its handoff, which the plan addresses to every dependent task. */
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
  // The graph reports orphans itself.
  return [...missing, ...remarks.filter(({ flag }) => flag !== 'ORPHAN')];
}
