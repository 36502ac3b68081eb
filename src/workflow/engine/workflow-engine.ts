import { randomBytes } from 'node:crypto';
import { canonicalJson } from '#lib/canonical-json.ts';
import type { CompiledStep, CompiledWorkflow } from '#schema/compiled-workflow.ts';
import type { EventDraft } from '#schema/event.ts';
import {
  type CheckOutcome,
  type GateVerdict,
  type StepOutput,
  type WorkflowAnswer,
  type WorkflowNode,
  type WorkflowStarted,
  workflowRunPrefix,
} from '#schema/workflow-run.ts';
import type { Submission } from '#workflow/contracts/submission.ts';
import type { Context } from '#workflow/language/condition.ts';
import {
  contextProblem,
  contextSizeProblem,
  findBad,
  mergeContext,
} from '#workflow/machine/context-limits.ts';
import { firstStep } from '#workflow/machine/next-step.ts';
import { type Position, stepAt } from '#workflow/machine/position.ts';
import { type AnswerExtras, answerAt, type Standing } from './answer.ts';
import { type ListedRun, listRun, prepareTable } from './catalogue-table.ts';
import { arrive, decideAdvance, decideGate, type Outcome } from './decide.ts';
import { type Addition, hashText, keepContext, type NumberedNode, type WorkflowLog } from './log.ts';
import { recoveryText } from './recovery.ts';
import { type Keyring, openToken, type TokenPlace } from './tokens.ts';
import { WorkflowError } from './workflow-error.ts';

const mostNotesBytes = 256 * 1024;
const mostArtifactBytes = 1024 * 1024;

export interface EngineOptions {
  readonly log: WorkflowLog;
  readonly keys: Keyring;
  /** Runs the check of a step; without it such a step cannot pass. */
  readonly runCheck?: (step: CompiledStep, signal: AbortSignal) => Promise<CheckOutcome>;
  /** The project's current bindings, to detect drift. */
  readonly bindingsNow?: (workflow: string) => Readonly<Record<string, string>>;
}

export type StartFacts = Omit<WorkflowStarted, 'workflow' | 'name' | 'version' | 'hash'>;

/** Runs of workflows. Every change is one commit of the log, and every call can be repeated. */
export class WorkflowEngine {
  readonly #log: WorkflowLog;
  readonly #keys: Keyring;
  readonly #options: EngineOptions;

  constructor(options: EngineOptions) {
    this.#log = options.log;
    this.#keys = options.keys;
    this.#options = options;
    prepareTable(this.#log.store);
  }

  start(
    workflow: CompiledWorkflow,
    hash: string,
    facts: StartFacts,
    context: Context = {},
    run = newRunId(),
  ): WorkflowAnswer {
    const values = mergeContext(
      {},
      {
        ...this.#checked(context),
        goal: facts.goal,
        ...(facts.mode === 'autonomous' ? { is_autonomous: 'true' } : {}),
      },
    );
    const started: WorkflowStarted = {
      workflow: workflow.id,
      name: workflow.name,
      version: workflow.version,
      hash,
      ...facts,
    };
    const next = firstStep(workflow, values);
    if (next.kind === 'stuck') {
      throw new WorkflowError('PRECONDITION_FAILED', next.message, 'give it with --context, or as context');
    }
    const standing = { run, started, workflow, context: values };
    const outcome = arrive(standing, next, values, 'started');
    const text = this.#log.create(run, (seq) => {
      const first: EventDraft = { type: 'workflow.started', data: started };
      const addition = this.#addition({ ...standing, parent: null }, outcome, null, seq + 1, `start`);
      const texts = new Map([...addition.texts, [hash.replace('sha256:', ''), canonicalJson(workflow)]]);
      return { ...addition, events: [first, ...addition.events], texts };
    });
    return JSON.parse(text) as WorkflowAnswer;
  }

  /** Submits the pending step. The same token always gets the same text, whatever is submitted. */
  async continue(token: string, submission: Submission, signal?: AbortSignal): Promise<string> {
    const place = openToken(this.#keys, token, ['continue']);
    const key = `advance/${place.node}.${place.attempt}`;
    const recorded = this.#log.answer(place.run, key);
    if (recorded !== null) return recorded;
    this.#checked(submission.context);
    checkSize(submission);
    const standing = this.standing(place.run, place.node);
    assertOpen(standing.node, place.run);
    const size = contextSizeProblem(mergeContext(standing.context, submission.context));
    if (size !== null)
      throw new WorkflowError('VALIDATION_ERROR', size, 'take variables away by setting them to null');
    const step = stepAt(standing.workflow, standing.node.position as unknown as Position);
    const check = step.check
      ? ((await this.#options.runCheck?.(step, signal ?? new AbortController().signal)) ?? null)
      : null;
    signal?.throwIfAborted();
    const outcome = decideAdvance(standing, submission, check, place.attempt > 0);
    return this.#log.advance(place.run, key, (seq) =>
      this.#addition({ ...standing, parent: place.node }, outcome, submission, seq, key),
    );
  }

  /** What the agent needs to continue; changes nothing. */
  rehydrate(token: string): WorkflowAnswer {
    const place = openToken(this.#keys, token, ['continue', 'resume', 'checkpoint']);
    return this.at(place.run, place.node);
  }

  /** The same by run and node; for a node with failed attempts, the last of those. */
  at(run: string, node: number, isFork = false): WorkflowAnswer {
    const standing = this.standing(run, node);
    const ways = this.#waysOn(run, node);
    const last = ways.at(-1);
    if (!isFork && last?.kind === 'blocked') return this.at(run, Number(last.nodeId.slice(1)));
    return answerAt(standing, this.#keys, {
      attempt: ways.length,
      recovery: recoveryText(this.#log, standing, ways),
      warnings: this.#drift(standing),
    });
  }

  checkpoint(token: string): { checkpointNodeId: string; resumeToken: string; sessionId: string } {
    const { run, node } = openToken(this.#keys, token, ['checkpoint']);
    const standing = this.standing(run, node);
    assertOpen(standing.node, run);
    const text = this.#log.advance(run, `checkpoint/${node}`, (seq) => {
      const { node: _, context, ...own } = standing.node;
      const outcome: Outcome = {
        ...own,
        kind: 'checkpoint',
        cause: 'checkpoint',
        trace: [],
        values: standing.context,
      };
      return this.#addition({ ...standing, parent: node }, outcome, null, seq, `checkpoint/${node}`);
    });
    const answer = JSON.parse(text) as WorkflowAnswer;
    return { sessionId: run, checkpointNodeId: answer.nodeId, resumeToken: answer.resumeToken };
  }

  /** Decides the gate of a node; a second decision changes nothing. */
  decide(run: string, node: number, verdict: GateVerdict): WorkflowAnswer {
    const standing = this.standing(run, node);
    const key = `gate/${node}`;
    if (standing.node.kind !== 'gate') {
      throw new WorkflowError(
        'PRECONDITION_FAILED',
        `run ${run} does not wait at a gate there`,
        `joinery workflow status ${run}`,
      );
    }
    const outcome = decideGate(standing, verdict);
    const text = this.#log.advance(run, key, (seq) =>
      this.#addition({ ...standing, parent: node }, outcome, null, seq, key),
    );
    return JSON.parse(text) as WorkflowAnswer;
  }

  standing(run: string, number: number): Standing {
    const node = this.#log.node(run, number);
    const started = this.#log.started(run);
    return {
      run,
      started,
      node,
      workflow: this.#log.workflow(run, started.hash),
      context: this.#log.context(run, node.context),
    };
  }

  place(token: string): TokenPlace {
    return openToken(this.#keys, token, ['continue', 'resume', 'checkpoint']);
  }

  /** The answers to all continuations of a node, in order. */
  #waysOn(run: string, node: number): WorkflowAnswer[] {
    const ways: WorkflowAnswer[] = [];
    for (let attempt = 0; ; attempt++) {
      const text = this.#log.answer(run, `advance/${node}.${attempt}`);
      if (text === null) return ways;
      ways.push(JSON.parse(text) as WorkflowAnswer);
    }
  }

  #drift({ workflow }: Standing): string[] {
    const now = this.#options.bindingsNow?.(workflow.id) ?? {};
    return Object.entries(workflow.bindings).flatMap(([slot, pinned]) => {
      const current = now[slot];
      const said = `BINDING_DRIFT: ${slot} is ${JSON.stringify(pinned)} in this run and`;
      if (current !== undefined)
        return current === pinned ? [] : [`${said} ${JSON.stringify(current)} in the project by now`];
      return workflow.overridden?.includes(slot) ? [`${said} no longer set in the project`] : [];
    });
  }

  #checked(context: Readonly<Record<string, unknown>>): Context {
    const problem = contextProblem(context) ?? contextSizeProblem(context);
    if (problem !== null)
      throw new WorkflowError('VALIDATION_ERROR', problem, 'hand in a context without it');
    return context;
  }

  #addition(
    from: Omit<Standing, 'node'> & { readonly parent: number | null },
    { values, ...outcome }: Outcome,
    submission: Submission | null,
    seq: number,
    key: string,
    extras: AnswerExtras = {},
  ): Addition {
    const context = keepContext(values);
    const { output, texts } = submission
      ? keepOutput(submission)
      : { output: null, texts: new Map<string, string>() };
    const data: WorkflowNode = { ...outcome, parent: from.parent, context: context.sha256, output };
    const node: NumberedNode = { ...data, node: seq };
    const answer = JSON.stringify(answerAt({ ...from, node, context: values }, this.#keys, extras));
    this.#list(from, node, submission);
    return {
      events: [{ type: 'workflow.node', data }, ...ending(node)],
      texts: new Map([...texts, [context.sha256, context.text]]),
      answer: { key, text: answer },
    };
  }

  #list({ run, started }: Omit<Standing, 'node'>, node: NumberedNode, submission: Submission | null): void {
    const at = new Date(this.#log.now()).toISOString();
    const words = [
      ...(node.parent === null ? [started.workflow, started.name, started.goal] : []),
      submission?.notes ?? '',
    ];
    listRun(
      this.#log.store,
      {
        run,
        workflow: started.workflow,
        name: started.name,
        goal: started.goal,
        status: statusOf(node),
        step: node.step,
        branch: started.branch,
        head: started.head,
        parent: started.parent?.run ?? null,
        createdAt: at,
        updatedAt: at,
        node: node.node,
      },
      words.join(' '),
    );
  }
}

export function statusOf(node: Pick<WorkflowNode, 'kind'>): ListedRun['status'] {
  switch (node.kind) {
    case 'step':
    case 'checkpoint':
      return 'running';
    case 'blocked':
      return 'blocked';
    case 'gate':
      return 'awaiting_human';
    case 'complete':
      return 'done';
    case 'stopped':
      return 'failed';
  }
}

function ending({ kind, blockers }: WorkflowNode): EventDraft[] {
  if (kind === 'complete')
    return [{ type: 'run.ended', data: { status: 'done', reason: 'the last step was accepted' } }];
  if (kind !== 'stopped') return [];
  const reason = `refused too often: ${blockers.map(({ message }) => message).join('; ')}`;
  return [{ type: 'run.ended', data: { status: 'failed', reason } }];
}

function keepOutput({ notes, artifacts }: Submission): { output: StepOutput; texts: Map<string, string> } {
  const texts = new Map<string, string>();
  const keep = (text: string) => {
    const sha256 = hashText(text);
    texts.set(sha256, text);
    return sha256;
  };
  const kept = artifacts.map((artifact) => {
    const text = canonicalJson(artifact);
    return { kind: String(artifact.kind ?? ''), sha256: keep(text), bytes: Buffer.byteLength(text) };
  });
  return { output: { notes: notes === null ? null : keep(notes), artifacts: kept }, texts };
}

/** Nothing is ever cut: input that is too long is refused, with its size. */
function checkSize({ notes, artifacts }: Submission): void {
  const refuse = (message: string) =>
    new WorkflowError('VALIDATION_ERROR', message, 'put the rest into a file and name it');
  const noteBytes = Buffer.byteLength(notes ?? '');
  if (noteBytes > mostNotesBytes)
    throw refuse(`the notes have ${noteBytes} bytes; ${mostNotesBytes} are allowed`);
  const bad = findBad(artifacts, 'artifacts', 0);
  if (bad !== null) throw refuse(bad);
  const bytes = Buffer.byteLength(canonicalJson(artifacts));
  if (bytes > mostArtifactBytes)
    throw refuse(`the artifacts have ${bytes} bytes; ${mostArtifactBytes} are allowed`);
}

function assertOpen(node: NumberedNode, run: string): void {
  if (node.kind === 'step' || node.kind === 'blocked' || node.kind === 'checkpoint') return;
  const why =
    node.kind === 'gate' ? 'waits at a gate' : node.kind === 'complete' ? 'is complete' : 'was stopped';
  throw new WorkflowError('PRECONDITION_FAILED', `run ${run} ${why}`, `joinery workflow status ${run}`);
}

const alphabet = 'abcdefghjkmnpqrstvwxyz23456789';

export function newRunId(): string {
  return workflowRunPrefix + [...randomBytes(10)].map((byte) => alphabet[byte % alphabet.length]).join('');
}
