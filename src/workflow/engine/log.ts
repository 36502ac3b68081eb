import { createHash } from 'node:crypto';
import { Journal, readArtifact, readEvent } from '#durable/journal.ts';
import { assertHeld, type Lease, leaseHolder } from '#durable/lease.ts';
import type { Store } from '#durable/store.ts';
import { canonicalJson } from '#lib/canonical-json.ts';
import type { CompiledWorkflow } from '#schema/compiled-workflow.ts';
import type { EventDraft } from '#schema/event.ts';
import type { WorkflowNode, WorkflowStarted } from '#schema/workflow-run.ts';
import type { Context } from '#workflow/language/condition.ts';
import { WorkflowError } from './workflow-error.ts';

export interface NumberedNode extends WorkflowNode {
  readonly node: number;
}

/** What one commit of a run adds. */
export interface Addition {
  readonly events: readonly EventDraft[];
  readonly texts: ReadonlyMap<string, string>;
  /** The answer, and the key it is stored under. */
  readonly answer?: { readonly key: string; readonly text: string };
}

/** The runs of workflows in the log of a repository. */
export class WorkflowLog {
  readonly store: Store;
  readonly now: () => number;
  readonly #compiled = new Map<string, CompiledWorkflow>();
  /** Set while this process drives a run: every commit then checks that the lease is still valid. */
  lease: Lease | null = null;

  constructor(store: Store, now: () => number = Date.now) {
    this.store = store;
    this.now = now;
  }

  /** How a run started; throws if there is no such run. */
  started(run: string): WorkflowStarted {
    const event = readEvent(this.store, run, 1);
    if (event?.type !== 'workflow.started') throw unknownNode(run);
    return event.data;
  }

  node(run: string, number: number): NumberedNode {
    const event = Number.isSafeInteger(number) && number > 0 ? readEvent(this.store, run, number) : null;
    if (event?.type !== 'workflow.node') throw unknownNode(run);
    return { ...event.data, node: number };
  }

  text(run: string, sha256: string): string {
    const text = readArtifact(this.store, run, sha256);
    if (text === null || hashText(text) !== sha256) {
      throw new WorkflowError(
        'SESSION_NOT_HEALTHY',
        `a text of run ${run} is missing or damaged`,
        'restore runs.db from a backup, or start again',
      );
    }
    return text;
  }

  context(run: string, sha256: string): Context {
    return JSON.parse(this.text(run, sha256)) as Context;
  }

  /** The workflow as it was when the run started. */
  workflow(run: string, hash: string): CompiledWorkflow {
    const known = this.#compiled.get(hash);
    if (known) return known;
    const compiled = JSON.parse(this.text(run, hash.replace('sha256:', ''))) as CompiledWorkflow;
    this.#compiled.set(hash, compiled);
    return compiled;
  }

  answer(run: string, key: string): string | null {
    return (new Journal(this.store, run, this.now).result(key)?.value as string | undefined) ?? null;
  }

  create(run: string, build: (nextSeq: number) => Addition): string {
    return this.store.transaction(() => {
      this.store.db.prepare('INSERT INTO runs (run) VALUES (?)').run(run);
      return this.#insert(run, build);
    });
  }

  /** Atomic and idempotent: a second call with the same key gets the answer of the first. */
  advance(run: string, key: string, build: (nextSeq: number) => Addition): string {
    return this.store.transaction(() => {
      const recorded = this.answer(run, key);
      if (recorded !== null) return recorded;
      this.#assertFree(run);
      return this.#insert(run, build);
    });
  }

  /** Events beside the nodes. */
  append(run: string, events: readonly EventDraft[]): void {
    this.store.transaction(() => {
      this.#assertFree(run);
      new Journal(this.store, run, this.now).insert({ events });
    });
  }

  #insert(run: string, build: (nextSeq: number) => Addition): string {
    const journal = new Journal(this.store, run, this.now);
    const { events, texts, answer } = build(journal.nextSeq);
    const fresh = new Map([...texts].filter(([key]) => !journal.hasArtifact(key)));
    journal.insert({
      events,
      artifacts: fresh,
      ...(answer ? { step: { key: answer.key, kind: 'result' as const, value: answer.text } } : {}),
    });
    return answer?.text ?? '';
  }

  #assertFree(run: string): void {
    if (this.lease?.name === run) {
      assertHeld(this.store, this.lease);
      return;
    }
    const holder = leaseHolder(this.store, run, this.now());
    if (!holder?.isAlive) return;
    throw new WorkflowError(
      'TOKEN_SESSION_LOCKED',
      `run ${run} is being driven by ${holder.holder}`,
      'try again when that process has ended',
      { retry: true },
    );
  }
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The stored text of a context, and its hash. */
export function keepContext(context: Context): { sha256: string; text: string } {
  const text = canonicalJson(context);
  return { sha256: hashText(text), text };
}

function unknownNode(run: string): WorkflowError {
  return new WorkflowError(
    'TOKEN_UNKNOWN_NODE',
    `run ${run} has no such node, or no longer exists`,
    'list runs: joinery workflow runs',
  );
}
