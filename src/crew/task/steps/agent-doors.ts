import type { AgentDoors, AgentEvent, HandoffAnswer } from '#agents/driver.ts';
import { type PricedUsage, pricedUsage } from '#agents/ledger/prices.ts';
import type { Prompt } from '#agents/prompt/fit-sections.ts';
import { EventBound } from '#agents/stream/bound-events.ts';
import { describeClash } from '#crew/state/clash.ts';
import { stepOf } from '#crew/state/state.ts';
import { readWork } from '#crew/task/place/read-work.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { treeOf } from '#git/merges/branches.ts';
import type { ContractRegistry } from '#handoff/contracts/registry.ts';
import { type HandoffContext, reviewHandoff } from '#handoff/forms/review-handoff.ts';
import type { StepCall } from '#schema/durable-port.ts';
import type { EventDraft } from '#schema/event.ts';
import type { Handoff, HandoffForm } from '#schema/handoff.ts';
import type { Clash, Incident, Usage } from '#schema/run.ts';
import { libraryFor } from './library-for.ts';

/** Limit of notes for people and successors: a runaway agent must not fill the log. */
const notesLength = 64_000;
const pieceLength = 50_000;

/** How many times an agent is asked to continue; later findings go to its next attempt. */
const mostTurns = 3;

/** Receives what an agent reports while it works: every event is recorded, a handoff is judged at once. */
export class RecordedDoors implements AgentDoors {
  readonly #flow: TaskFlow;
  readonly #plan: AttemptPlan;
  readonly #call: StepCall;
  readonly #context: HandoffContext;
  #refusals = 0;
  /** The model for pricing its tokens, until the agent reports another. */
  #model: string | null;
  readonly #bound = new EventBound();
  handoff: Handoff | null = null;
  form: HandoffForm = 'json';
  notes = '';
  readonly incidents: Incident[] = [];
  /** Clashes it received before it finished. */
  readonly told: Clash[] = [];
  #turns = 0;
  /** A handoff that would have been accepted without a pending message. */
  #spare: { readonly handoff: Handoff; readonly form: HandoffForm } | null = null;

  constructor(
    flow: TaskFlow,
    plan: AttemptPlan,
    prompt: Prompt,
    call: StepCall,
    contracts: ContractRegistry,
  ) {
    this.#flow = flow;
    this.#model = plan.model;
    this.#plan = plan;
    this.#call = call;
    this.#context = {
      run: flow.context.run,
      step: flow.id,
      attempt: plan.n,
      role: plan.role,
      library: libraryFor(flow, plan, prompt),
      contracts,
    };
  }

  async hasChanged(): Promise<boolean> {
    const reading = await readWork(this.#flow, this.#plan, this.#plan.path);
    if (reading.status === 'unreadable') return true;
    return reading.tree !== (await treeOf(this.#flow.premises.objects.git, this.#plan.from));
  }

  report(event: AgentEvent): void {
    if (event.type === 'incident') this.#notice(event);
    if (event.type === 'tool' && event.status === 'begun') this.#see(event.tool, event.detail);
    if (event.type === 'text') this.notes = `${this.notes}${event.text}\n`.slice(-notesLength);
    if (event.type === 'started') this.#model = event.model ?? this.#model;
    this.#record(this.#bound.bound(event));
  }

  /** An agent that read withheld files did not work independently. Repetitions are not recorded. */
  #notice({ kind, detail }: Extract<AgentEvent, { type: 'incident' }>): void {
    const isBlocking = kind === 'read-withheld';
    if (!isBlocking || !this.incidents.some((incident) => incident.kind === kind))
      this.incidents.push({ kind, detail, isBlocking });
  }

  #see(tool: string, detail: string): void {
    const { siblings, refWatch, id } = this.#flow;
    siblings.see(id, tool, detail);
    refWatch.see(id, detail);
  }

  /** Ignores later reports. */
  close(): void {
    if (this.handoff === null && this.#spare) Object.assign(this, this.#spare);
    this.#record(this.#bound.rest());
  }

  #record(event: AgentEvent): void {
    const where = { step: this.#flow.id, attempt: this.#plan.n };
    const { prices } = this.#flow.state.settings;
    const priced = (usage: Usage) => pricedUsage(usage, this.#model, prices);
    for (const draft of toProgress(event, priced)) this.#call.progress({ ...draft, ...where });
  }

  submit(raw: unknown): HandoffAnswer {
    if (this.handoff)
      return refusal('A handoff was accepted already; there is exactly one per attempt.', true);
    if (this.#refusals >= 2) return refusal('No further handoff is accepted in this attempt.', true);
    const review = reviewHandoff(raw, this.#context);
    const words = stepOf(this.#flow.state, this.#flow.id).unheard;
    if (review.ok && words.length > 0) {
      this.#spare = { handoff: review.handoff, form: review.form };
      return this.#hear([...words]);
    }
    const news = review.ok ? this.#news() : [];
    if (review.ok && news.length > 0) {
      this.#spare = { handoff: review.handoff, form: review.form };
      return this.#tellFirst(news);
    }
    if (review.ok) {
      this.handoff = review.handoff;
      this.form = review.form;
      return { accepted: true };
    }
    this.#refusals += 1;
    const { problems, validSections, example } = review;
    this.#call.progress({
      type: 'handoff.refused',
      step: this.#flow.id,
      attempt: this.#plan.n,
      data: { problems: [...problems], validSections: [...validSections] },
    });
    const text = [
      'The handoff was not accepted:',
      ...problems.map((problem) => `- ${problem}`),
      'You may cite:',
      ...validSections.map((section) => `- ${section}`),
      'A handoff that would be accepted:',
      JSON.stringify(example),
    ].join('\n');
    return refusal(text, this.#refusals >= 2);
  }

  /** A person's message is delivered before the agent's turn ends, without a limit. */
  #hear(texts: readonly string[]): HandoffAnswer {
    this.#flow.context.append([
      { type: 'attempt.steered', step: this.#flow.id, attempt: this.#plan.n, data: { texts: [...texts] } },
    ]);
    const text = [
      'Before you finish: the person who runs this work says:',
      ...texts.map((each) => `> ${each.replaceAll('\n', '\n> ')}`),
      'Do what follows from it, then hand in again.',
    ].join('\n');
    return { accepted: false, text, isFinal: false, isAboutWork: true };
  }

  /** Conflicts with other tasks that were found since its agent started. */
  #news(): Clash[] {
    const known = new Set(this.told.map(({ id }) => id));
    return this.#turns >= mostTurns
      ? []
      : stepOf(this.#flow.state, this.#flow.id).told.filter(({ id }) => !known.has(id));
  }

  /** Reported before it finishes, because that is cheaper than another attempt. */
  #tellFirst(news: readonly Clash[]): HandoffAnswer {
    this.#turns += 1;
    this.told.push(...news);
    const text = [
      'Before you finish: your work does not fit the work of others.',
      ...news.map((clash) => `- ${describeClash(clash)}`),
    ].join('\n');
    return { accepted: false, text, isFinal: false, isAboutWork: true };
  }
}

function refusal(text: string, isFinal: boolean): HandoffAnswer {
  return { accepted: false, text, isFinal };
}

type Progress = EventDraft<
  | 'attempt.session'
  | 'attempt.said'
  | 'attempt.used'
  | 'attempt.permission'
  | 'attempt.retrying'
  | 'attempt.spent'
>;

function toProgress(event: AgentEvent, priced: (usage: Usage) => PricedUsage): Progress[] {
  switch (event.type) {
    case 'started':
      return [
        {
          type: 'attempt.session',
          data: { session: event.session, version: event.version, model: event.model },
        },
      ];
    case 'text':
      return pieces(event.text).map((text) => ({ type: 'attempt.said', data: { text } }));
    case 'tool':
      // The start of the call was reported; only the watchdog needs its end.
      if (event.call !== null && event.status === 'ended') return [];
      return [{ type: 'attempt.used', data: { tool: event.tool, detail: event.detail } }];
    case 'permission':
      return [
        {
          type: 'attempt.permission',
          data: { tool: event.tool, detail: event.detail, decision: event.decision },
        },
      ];
    case 'retry':
      return [{ type: 'attempt.retrying', data: { reason: event.reason, waitMs: event.waitMs } }];
    case 'alive':
      return [];
    case 'turn':
      return [{ type: 'attempt.spent', data: { in: 0, out: 0, usd: 0, turns: 1 } }];
    case 'incident':
      return [];
    case 'usage':
      return [{ type: 'attempt.spent', data: priced(event.usage) }];
  }
}

/** Splits long texts over several events, so that no event is too large and no text is lost. */
function pieces(text: string): string[] {
  const count = Math.max(1, Math.ceil(text.length / pieceLength));
  return Array.from({ length: count }, (_, n) => text.slice(n * pieceLength, (n + 1) * pieceLength));
}
