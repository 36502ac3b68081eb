import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readBundle, rotateWorkflowKeys } from '#app/workflow/bundle-file.ts';
import {
  chooseWorkflowRun,
  decideGate,
  exportWorkflowRun,
  forkRun,
  importWorkflowRun,
  listWorkflowRuns,
  pruneWorkflowRuns,
  resumeRun,
  searchRuns,
  workflowStatus,
} from '#app/workflow/steer-runs.ts';
import { type WorkflowRoom, withWorkflows } from '#app/workflow/workflow-room.ts';
import { writeOutput } from '#app/workplace/output-file.ts';
import { refuseMore } from '#cli/args/refuse-more.ts';
import { confirm } from '#cli/terminal/confirm.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderWorkflowRuns, renderWorkflowSearch, renderWorkflowStatus } from '#report/workflow/runs.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import { oneName, type WorkflowInvocation } from './workflow.ts';
import { printAnswer } from './workflow-runs.ts';
import { walkOn } from './workflow-walk.ts';

type Action = (
  invocation: WorkflowInvocation,
  room: WorkflowRoom,
  names: readonly string[],
) => Promise<ExitCode>;

export function steerAction(
  invocation: WorkflowInvocation,
  action: string,
  names: readonly string[],
): Promise<ExitCode> {
  return withWorkflows(invocation, (room) => (actions[action] as Action)(invocation, room, names));
}

const actions: Readonly<Record<string, Action>> = {
  async runs(invocation, room, names) {
    refuseMore('workflow', 'runs', names);
    const report = listWorkflowRuns(room);
    return print(invocation, report, () => renderWorkflowRuns(report, page(invocation)));
  },

  async status(invocation, room, names) {
    const report = workflowStatus(room, chooseWorkflowRun(room, oneName(names, 'status')));
    return print(invocation, report, () => renderWorkflowStatus(report, page(invocation)));
  },

  /** With a run or a token: its step. With words: the runs that match them. */
  async resume(invocation, room, names) {
    const [first] = names;
    if (first !== undefined && names.length === 1 && /^(wf-|[cs][tk]_)/.test(first)) {
      const answer = first.startsWith('wf-')
        ? resumeRun(room, chooseWorkflowRun(room, first))
        : room.engine.rehydrate(first);
      return invocation.options.agent === undefined
        ? printAnswer(invocation, answer)
        : walkOn(invocation, room, answer);
    }
    const found = await searchRuns(room, names.length === 0 ? undefined : names.join(' '));
    const report = { schema: 'joinery/workflow-search@1' as const, ...found };
    return print(invocation, report, () => renderWorkflowSearch(report, page(invocation)));
  },

  async checkpoint(invocation, room, names) {
    const report = room.engine.checkpoint(oneName(names, 'checkpoint'));
    return print(
      invocation,
      { schema: 'joinery/workflow-checkpoint@1', ...report },
      () =>
        `checkpoint ${report.checkpointNodeId} of ${report.sessionId}\nCome back: joinery workflow resume ${report.resumeToken}`,
    );
  },

  async fork(invocation, room, names) {
    const { node } = invocation.options;
    const number = Number(/^n?(?<number>\d+)$/.exec(node ?? '')?.groups?.number);
    if (!Number.isInteger(number)) {
      throw new UsageError({
        code: 'missing-argument',
        message: 'fork needs the place to go back to',
        hint: 'joinery workflow status <run> prints the places, then: joinery workflow fork <run> --node n4',
      });
    }
    return printAnswer(invocation, forkRun(room, chooseWorkflowRun(room, oneName(names, 'fork')), number));
  },

  async gate(invocation, room, names) {
    const verdicts = { approve: 'approved', reject: 'rejected', uncertain: 'uncertain' } as const;
    const [run, word = '', ...more] = names;
    const { reason } = invocation.options;
    if (
      run === undefined ||
      !Object.hasOwn(verdicts, word) ||
      more.length > 0 ||
      (word === 'reject' && !reason)
    ) {
      throw new UsageError({
        code: 'missing-argument',
        message:
          word === 'reject'
            ? 'a rejection needs a reason'
            : 'gate needs a run and approve, reject or uncertain',
        hint: 'joinery workflow gate <run> approve, or joinery workflow gate <run> reject --reason "what is missing"',
      });
    }
    const answer = decideGate(room, chooseWorkflowRun(room, run), {
      verdict: verdicts[word as keyof typeof verdicts],
      rationale: reason ?? 'decided by a person',
      by: 'person',
    });
    return invocation.options.agent === undefined
      ? printAnswer(invocation, answer)
      : walkOn(invocation, room, answer);
  },

  async export(invocation, room, names) {
    const { output } = invocation.options;
    const bundle = `${JSON.stringify(exportWorkflowRun(room, chooseWorkflowRun(room, oneName(names, 'export'))))}\n`;
    if (output === undefined) invocation.terminal.print(bundle);
    else writeOutput(invocation.cwd, output, bundle, 0o600);
    return exitCodes.ok;
  },

  async import(invocation, room, names) {
    const file = oneName(names, 'import');
    const run = importWorkflowRun(
      room,
      readBundle(() => readFileSync(resolve(invocation.cwd, file), 'utf8'), file),
    );
    return print(
      invocation,
      { schema: 'joinery/workflow-import@1', run },
      () => `${run}\nGo on: joinery workflow resume ${run}`,
    );
  },

  async prune(invocation, room) {
    const { options, terminal } = invocation;
    const days =
      options['older-than'] === undefined ? room.config.workflows.keepDays : Number(options['older-than']);
    if (!(days >= 0)) {
      throw new UsageError({
        code: 'bad-value',
        message: `--older-than cannot be ${JSON.stringify(options['older-than'])}; it is a number of days`,
        hint: 'joinery workflow prune --older-than 30',
      });
    }
    const doomed = pruneWorkflowRuns(room, days, true);
    if (doomed.length > 0) {
      await confirm(`Remove ${doomed.length} runs of workflows?`, {
        isSure: options.yes === true,
        command: 'joinery workflow prune',
        terminal,
      });
      pruneWorkflowRuns(room, days, false);
    }
    return print(invocation, { schema: 'joinery/workflow-prune@1', runs: doomed }, () =>
      doomed.length === 0 ? 'nothing to remove' : `removed ${doomed.join(', ')}`,
    );
  },

  async 'rotate-keys'(invocation, room) {
    rotateWorkflowKeys(room);
    return print(
      invocation,
      { schema: 'joinery/workflow-keys@1', rotated: true },
      () => 'new key; tokens made with the one before stay good until the next rotation',
    );
  },
};

function page({ terminal, env }: WorkflowInvocation) {
  return pageOf(terminal, env);
}

function print({ globals, terminal }: WorkflowInvocation, report: object, text: () => string): ExitCode {
  if (globals.json) terminal.printJson(report);
  else terminal.print(text());
  return exitCodes.ok;
}
