import type { RunEvent } from '../api.ts';
import type { Tone } from './basics.tsx';

export interface LogLine {
  readonly seq: number;
  readonly at: string;
  readonly who: string;
  readonly text: string;
  readonly tone: Tone;
}

const chatter: ReadonlySet<RunEvent['type']> = new Set([
  'attempt.said',
  'attempt.used',
  'attempt.spent',
  'attempt.permission',
  'attempt.session',
  'attempt.retrying',
]);

/** An event as a line for people; null for events that the view omits. */
export function lineOf(event: RunEvent, what: 'all' | 'decisions'): LogLine | null {
  if (what === 'decisions' && chatter.has(event.type)) return null;
  const [text, tone] = wordsOf(event);
  const who =
    event.step === undefined
      ? 'run'
      : event.attempt === undefined
        ? event.step
        : `${event.step} #${event.attempt}`;
  return { seq: event.seq, at: event.at, who, text, tone };
}

function wordsOf(event: RunEvent): [string, Tone] {
  switch (event.type) {
    case 'run.created':
      return [`created with ${event.data.plan.tasks.length} tasks on ${event.data.baseRef}`, 'mute'];
    case 'run.opened':
      return [`driven by ${event.data.holder}`, 'mute'];
    case 'run.paused':
      return [event.data.reason === 'interrupted' ? 'interrupted' : 'waits for a person', 'warn'];
    case 'run.halted':
      return [
        `halted: ${event.data.reason ?? `${event.data.failed} of ${event.data.settled} tasks failed`}`,
        'bad',
      ];
    case 'run.ended':
      return [`${event.data.status} ${event.data.reason}`, event.data.status === 'done' ? 'good' : 'bad'];
    case 'run.degraded':
      return [`degraded: ${event.data.what}`, 'warn'];
    case 'question.asked':
      return [`question ${event.data.id}: ${event.data.text}`, 'warn'];
    case 'question.answered':
      return [`question ${event.data.id} answered ${event.data.answer} by ${event.data.by}`, 'mute'];
    case 'attempt.started':
      return [
        `attempt starts with ${event.data.driver} as ${event.data.role} at ${event.data.from.slice(0, 10)}`,
        'busy',
      ];
    case 'worktree.ready':
      return [`worktree ready, dependencies: ${event.data.dependencies}`, 'mute'];
    case 'attempt.prompted':
      return [
        `prompt of ${event.data.bytes} bytes${event.data.dropped.length > 0 ? `, left out: ${event.data.dropped.join(', ')}` : ''}`,
        event.data.dropped.length > 0 ? 'warn' : 'mute',
      ];
    case 'attempt.said':
      return [event.data.text, 'mute'];
    case 'attempt.used':
      return [`${event.data.tool} ${event.data.detail}`, 'busy'];
    case 'attempt.spent':
      return [`${event.data.in} tokens in, ${event.data.out} out, $${event.data.usd}`, 'mute'];
    case 'attempt.permission':
      return [
        `${event.data.decision}: ${event.data.tool} ${event.data.detail}`,
        event.data.decision === 'denied' ? 'warn' : 'mute',
      ];
    case 'attempt.retrying':
      return [`waits for the model: ${event.data.reason}`, 'warn'];
    case 'handoff.refused':
      return [`handoff refused: ${event.data.problems.join('; ')}`, 'warn'];
    case 'attempt.played':
      return [`agent ended: ${event.data.outcome} ${event.data.reason}`, 'mute'];
    case 'step.committed':
      return [`commit ${event.data.commit.slice(0, 10)}, ${event.data.files.length} files`, 'mute'];
    case 'attempt.grounded':
      return [
        `grounding ${event.data.status}${reasons(event.data.checks)}`,
        event.data.status === 'pass' ? 'good' : 'bad',
      ];
    case 'attempt.gated':
      return [`gates ${event.data.status}`, event.data.status === 'pass' ? 'good' : 'bad'];
    case 'attempt.ended':
      return [
        `verdict ${event.data.verdict ?? 'none'}${event.data.findings.length > 0 ? `: ${event.data.findings.map(({ message }) => message).join('; ')}` : ''}`,
        event.data.verdict === 'approve' ? 'good' : event.data.verdict === null ? 'mute' : 'warn',
      ];
    case 'attempt.classified':
      return [`failed: ${event.data.class}, ${event.data.why}`, 'bad'];
    case 'step.accepted':
      return [`accepted ${event.data.commit.slice(0, 10)}`, 'good'];
    case 'step.conflicted':
      return [`does not merge in ${event.data.paths.join(', ')}`, 'bad'];
    case 'step.revising':
      return [`another attempt: ${event.data.reason}`, 'warn'];
    case 'step.escalated':
      return [`needs a person: ${event.data.reason}`, 'warn'];
    case 'step.failed':
      return [`failed: ${event.data.reason}`, 'bad'];
    case 'step.skipped':
      return [`skipped: ${event.data.reason}`, 'mute'];
    case 'step.retried':
      return [`retry, requested by a ${event.data.by}: ${event.data.context}`, 'busy'];
    case 'run.signalled':
      return [`${event.data.name} was sent by ${event.data.by}`, 'mute'];
    case 'run.phase':
      return [
        `${event.data.phase} ${event.data.status}${event.data.detail === '' ? '' : `: ${event.data.detail}`}`,
        event.data.status === 'failed' ? 'bad' : event.data.status === 'done' ? 'good' : 'busy',
      ];
    case 'run.planned':
      return [`planned: ${event.data.plan.tasks.map(({ id }) => id).join(', ')}`, 'mute'];
    case 'run.extended':
      return [`task ${event.data.task.id} added: ${event.data.task.title}`, 'warn'];
    case 'run.consulted':
      return [`asked the ${event.data.role} (${event.data.agent}): ${event.data.outcome}`, 'mute'];
    case 'run.contracted':
      return [`contract changed for ${event.data.task}: ${event.data.change.item}`, 'warn'];
    case 'run.integrated':
      return [
        `put together: ${event.data.report.status}`,
        event.data.report.status === 'landed' || event.data.report.status === 'ready' ? 'good' : 'warn',
      ];
    case 'run.landing':
      return ['is to land', 'mute'];
    case 'run.landed':
      return [`landed on ${event.data.ref}: ${event.data.after.slice(0, 10)}`, 'good'];
    case 'run.budgeted':
      return [`the budget is ${event.data.usd === null ? 'open' : `$${event.data.usd}`}`, 'mute'];
    case 'run.warned':
      return [`$${event.data.usd} of the budget are spent`, 'warn'];
    case 'run.overspent':
      return ['the budget is spent: agents are ended', 'bad'];
    case 'run.unhalted':
      return ['goes on', 'mute'];
    case 'run.reopened':
      return [`opened again: ${event.data.reason}`, 'mute'];
    case 'run.forked':
      return [`forked from run ${event.data.from} at ${event.data.at}`, 'mute'];
    case 'attempt.session':
      return [
        `session ${event.data.session}${event.data.model === null ? '' : ` with ${event.data.model}`}`,
        'mute',
      ];
    case 'handoff.recorded':
      return [
        `handoff recorded${event.data.edges.length === 0 ? '' : `, built on ${event.data.edges.map(({ from }) => from).join(', ')}`}${event.data.findings.map(({ message }) => `; ${message}`).join('')}`,
        event.data.findings.length > 0 ? 'warn' : 'mute',
      ];
    case 'attempt.told':
      return [`told: ${event.data.clashes.map(({ message }) => message).join('; ')}`, 'warn'];
    case 'attempt.stepped': {
      const { workflow, step, title, status, detail } = event.data;
      const what = step === null ? `workflow ${workflow}` : `step ${title}`;
      const tone = {
        accepted: 'good',
        complete: 'good',
        refused: 'warn',
        waiting: 'warn',
        stopped: 'bad',
      } as const;
      return [
        `${what}: ${status}${detail === '' ? '' : `, ${detail}`}`,
        status === 'opened' || status === 'begun' ? 'busy' : tone[status],
      ];
    }
    case 'attempt.steered':
      return [`heard: ${event.data.texts.join('; ')}`, 'busy'];
    case 'step.steered':
      return [`a ${event.data.by} says: ${event.data.text}`, 'busy'];
    case 'step.stopping':
      return [event.data.reason, 'warn'];
    case 'step.told':
      return [`a clash: ${event.data.message}`, 'warn'];
    case 'step.waiting':
      return [event.data.reason, 'warn'];
    case 'step.checked':
      return [
        `checked against ${event.data.against.map(({ task }) => task).join(', ') || 'nothing yet'}: ${
          event.data.clashes.length === 0
            ? (event.data.reason ?? 'fits')
            : event.data.clashes.map(({ message }) => message).join('; ')
        }`,
        event.data.status === 'pass' ? 'good' : event.data.status === 'fail' ? 'bad' : 'warn',
      ];
    case 'work.kept':
      return [`kept ${event.data.commit.slice(0, 10)}: ${event.data.why}`, 'mute'];
    default:
      return [`${event.type} ${JSON.stringify((event as { data: unknown }).data)}`, 'mute'];
  }
}

function reasons(checks: readonly { name: string; status: string; detail: string }[]): string {
  const said = checks.filter(({ status }) => status === 'fail' || status === 'inconclusive');
  return said.length === 0 ? '' : `: ${said.map(({ name, detail }) => `${name} ${detail}`).join('; ')}`;
}
