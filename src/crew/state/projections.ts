import { visible, visibleLine } from '#lib/visible.ts';
import type { DataOf, RunEvent } from '#schema/event.ts';
import { Handoff } from '#schema/handoff.ts';
import { roundUsd } from '#schema/spending.ts';
import { claimsOf } from './claims.ts';
import { costOfRun } from './cost.ts';
import { applyEvent } from './fold.ts';
import { taskSlugs } from './names.ts';
import { nextCommands } from './next-commands.ts';
import { reportOf } from './report.ts';
import { type RunState, type StepState, stateOf } from './state.ts';

/** A piece of a file; pieces with the same path follow each other. */
export interface Piece {
  readonly path: string;
  readonly text: string;
}

export interface RunRecord {
  readonly run: string;
  readonly events: Iterable<RunEvent>;
  readonly artifact: (sha256: string) => string | null;
}

/** Everything people read about a run, from its log alone: no clock, no folder, no git. */
export function* projectionsOf({ run, events, artifact }: RunRecord): Iterable<Piece> {
  let state: RunState | null = null;
  let slugs = new Map<string, string>();
  for (const event of events) {
    yield { path: 'reports/events.jsonl', text: `${JSON.stringify(event)}\n` };
    if (event.type === 'run.created' && !state) {
      state = stateOf(event.data, event.at);
      slugs = taskSlugs(event.data.plan);
      if (event.data.plan.tasks.length > 0)
        yield { path: 'reports/plan.json', text: `${JSON.stringify(event.data.plan, null, 2)}\n` };
    } else if (state) applyEvent(state, event);
    if (event.type === 'run.extended' && state) slugs = taskSlugs(state.plan);
    if (event.type === 'run.planned') {
      slugs = taskSlugs(event.data.plan);
      yield { path: 'reports/plan.json', text: `${JSON.stringify(event.data.plan, null, 2)}\n` };
    }
    if (event.step !== undefined && event.attempt !== undefined) {
      const name = `${slugs.get(event.step) ?? event.step}-${event.attempt}`;
      yield* attemptPieces(event, name, artifact);
    }
  }
  if (!state) return;
  yield { path: 'reports/run.json', text: `${JSON.stringify(reportOf(run, state), null, 2)}\n` };
  yield { path: 'reports/cost.json', text: `${JSON.stringify(costOfRun(run, state), null, 2)}\n` };
  yield { path: 'reports/claims.md', text: renderClaims(run, state) };
  yield { path: 'reports/checkpoint.md', text: renderCheckpoint(run, state, artifact) };
}

function* attemptPieces(event: RunEvent, name: string, artifact: RunRecord['artifact']): Iterable<Piece> {
  const log = logLine(event);
  if (log !== null) yield { path: `logs/${name}.log`, text: `${event.at} ${log}\n` };
  if (event.type === 'attempt.prompted') {
    yield { path: `reports/prompts/${name}.txt`, text: artifact(event.data.sha256) ?? '' };
  }
  if (event.type === 'attempt.played' && event.data.handoff !== null) {
    yield { path: `reports/handoffs/${name}.json`, text: artifact(event.data.handoff) ?? '' };
  }
}

/** One event of an attempt as a log line for people; null for events that are not logged. */
export function logLine(event: RunEvent): string | null {
  switch (event.type) {
    case 'attempt.started':
      return `attempt ${event.attempt} starts at ${event.data.from} with ${event.data.driver}`;
    case 'worktree.ready':
      return `worktree ${event.data.path}, dependencies: ${event.data.dependencies}`;
    case 'attempt.prompted':
      return promptLine(event.data);
    case 'attempt.session':
      return visibleLine(
        `session ${event.data.session} ${event.data.version ?? ''} ${event.data.model ?? ''}`.trim(),
      );
    case 'attempt.permission':
      return visibleLine(`${event.data.decision}: ${event.data.tool} ${event.data.detail}`);
    case 'attempt.retrying':
      return visibleLine(`waits for the model: ${event.data.reason}`);
    case 'attempt.said':
      return `says: ${visible(event.data.text).replaceAll('\n', '\n  ')}`;
    case 'attempt.used':
      return visibleLine(`${event.data.tool} ${event.data.detail}`);
    case 'attempt.spent':
      return spentLine(event.data);
    case 'handoff.refused':
      return `handoff refused: ${event.data.problems.map(visibleLine).join('; ')}`;
    case 'handoff.recorded':
      return recordedLine(event.data);
    case 'attempt.played':
      return [
        visibleLine(`agent ends: ${event.data.outcome} ${event.data.reason}`),
        ...(event.data.incidents ?? []).map(({ kind, detail }) => visibleLine(`  ${kind}: ${detail}`)),
      ].join('\n');
    case 'step.committed':
      return `commit ${event.data.commit}, ${event.data.files.length} ${event.data.files.length === 1 ? 'file' : 'files'}`;
    case 'attempt.grounded':
      return visibleLine(`grounding: ${event.data.status}${groundingDetail(event.data.checks)}`);
    case 'attempt.gated':
      return visibleLine(`gates: ${event.data.status}${gatesDetail(event.data.claims)}`);
    case 'attempt.reviewed':
      return visibleLine(reviewLine(event.data));
    case 'attempt.classified':
      return visibleLine(`failed: ${event.data.class}, ${event.data.why}`);
    case 'step.conflicted':
      return `does not merge in ${event.data.paths.map(visibleLine).join(', ')}`;
    case 'attempt.ended':
      return `verdict ${event.data.verdict ?? 'none'}${event.data.quality ? `, handoff ${event.data.quality}` : ''}`;
    default:
      return null;
  }
}

function promptLine({
  sha256,
  mode,
  bytes,
  included,
  dropped,
  isolated = [],
  role,
  upstream = {},
}: DataOf<'attempt.prompted'>): string {
  const without = [
    ...(dropped.length > 0 ? [`; did not fit: ${dropped.join(', ')}`] : []),
    ...(isolated.length > 0 ? [`; kept out: ${isolated.join(', ')}`] : []),
  ].join('');
  const partly = Object.entries(upstream).map(([task, quality]) => `; ${task} left a ${quality} handoff`);
  const as = role === undefined ? '' : ` for the ${role}`;
  return `prompt of ${bytes} bytes${as} (${mode}, ${sha256.slice(0, 12)}): ${included.join(', ')}${without}${partly.join('')}`;
}

function reviewLine({
  verdict,
  reason,
  consensus,
  accepted,
  deferred,
  rejected,
}: DataOf<'attempt.reviewed'>) {
  return `review: ${verdict} (${consensus}), ${accepted} accepted, ${deferred} deferred, ${rejected} rejected: ${reason}`;
}

function recordedLine({ form, edges, findings }: DataOf<'handoff.recorded'>): string {
  const cited = edges.length === 0 ? 'cites nothing' : `cites ${edges.map(({ ref }) => ref).join(', ')}`;
  const odd = findings.map(({ flag, message }) => `; ${flag} ${message}`).join('');
  return visibleLine(`handoff (${form}) ${cited}${odd}`);
}

function groundingDetail(checks: DataOf<'attempt.grounded'>['checks']): string {
  const said = checks.filter(({ status }) => status !== 'pass' && status !== 'skipped');
  return said.map(({ name, status, detail }) => `; ${name} ${status}: ${detail}`).join('');
}

function gatesDetail(claims: DataOf<'attempt.gated'>['claims']): string {
  return claims.map(({ gate, status, reason }) => `; ${gate} ${status}${reason && `: ${reason}`}`).join('');
}

/** Every claim with its evidence, for people. */
function renderClaims(run: string, state: RunState): string {
  const claims = [...state.steps.values()].flatMap(claimsOf);
  const stands = claims.filter(({ status }) => status === 'pass').length;
  const cell = (text: string) => visibleLine(text).replaceAll('|', '\\|');
  const rows = claims.map(
    ({ task, claim, verifiedBy, status, evidence }) =>
      `| ${[task, claim, verifiedBy, status, evidence ?? ''].map(cell).join(' | ')} |`,
  );
  return [
    `# Claims of run ${run}: ${stands} of ${claims.length} are proven`,
    '',
    '| Task | Claim | Verified by | Status | Evidence |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** Null for an event that only counts an answer of the model. */
function spentLine({ in: input, out, usd, basis }: DataOf<'attempt.spent'>): string | null {
  if (input + out === 0 && usd === 0) return null;
  const cost =
    basis === 'unknown' ? 'price unknown' : `$${roundUsd(usd)}${basis === 'table' ? ' by table' : ''}`;
  return `spends ${input} in, ${out} out, ${cost}`;
}

/** The resume point: what is done, what remains, what was decided, what is open, what comes next. */
export function renderCheckpoint(run: string, state: RunState, artifact: RunRecord['artifact']): string {
  const steps = [...state.steps.values()];
  const line = (step: StepState) => {
    const reason = step.reason === '' ? '' : `: ${visibleLine(step.reason)}`;
    return `${step.task.id} (${visibleLine(step.task.title)}) ${step.status}${reason}`;
  };
  const decisions = steps.flatMap((step) => {
    const hash = step.status === 'accepted' ? step.attempts.at(-1)?.played?.handoff : null;
    const handoff = hash ? Handoff.safeParse(JSON.parse(artifact(hash) ?? 'null')).data : undefined;
    return (handoff?.decisions ?? []).map(({ what, why }) =>
      visibleLine(`${step.task.id}: ${what}, because ${why}`),
    );
  });
  const findings = steps.flatMap((step) => {
    if (step.status === 'accepted') return [];
    return (step.attempts.at(-1)?.findings ?? []).map(({ message }) =>
      visibleLine(`${step.task.id}: ${message}`),
    );
  });
  const sections: [string, string[]][] = [
    [
      'Done',
      steps.filter((step) => step.status === 'accepted').map((step) => `${line(step)} ${step.commit ?? ''}`),
    ],
    ['Remaining', steps.filter((step) => step.status !== 'accepted').map(line)],
    ['Decisions', decisions],
    ['Open findings', [...findings, ...state.degraded.map((what) => `degraded: ${visibleLine(what)}`)]],
    ['Next', nextCommands(run, state).map(({ command }) => command)],
  ];
  const body = sections.map(([title, lines]) => `- ${title}: ${firstFew(lines)}`);
  return `# Run ${run}: ${state.status}\n\n${body.join('\n')}\n`;
}

/** A checkpoint is read at a glance: at most this many entries in each of its five parts. */
const mostInCheckpoint = 3;

function firstFew(lines: readonly string[]): string {
  if (lines.length === 0) return 'none';
  const rest = lines.length - mostInCheckpoint;
  return [...lines.slice(0, mostInCheckpoint), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}
