import type { AgentEvent } from '#agents/driver.ts';
import { addUsage, type Usage, usageBeyond } from '#schema/run.ts';

/** Limit of what one attempt may write into the log: an endless agent must not fill the disk. */
const mostCharacters = 16 * 1024 * 1024;
/** Overhead of one event, in addition to its text. */
const perEvent = 200;
/** Cut only here, after redaction: a secret that was cut in half is no longer found. */
const longestDetail = 300;

/** Output beyond the limit is read and counted, but not recorded. */
export class EventBound {
  #left: number;
  /** Usage that is not recorded yet, for any model: the number of usage events is limited too. */
  #held: Usage = { in: 0, out: 0, usd: 0 };
  #heldEvents = 0;
  #mostHeld = 1;

  constructor(most = mostCharacters) {
    this.#left = most;
  }

  /** The part of an event to record. */
  bound(event: AgentEvent): AgentEvent {
    const length = lengthOf(event);
    if (length === null) return event;
    const hadRoom = this.#left > 0;
    this.#left -= length + perEvent;
    if (this.#left > 0) return event;
    const spent = spentIn(event);
    if (spent) addUsage(this.#held, spent);
    if (hadRoom) return { type: 'text', text: '… from here on nothing is recorded: it has said too much' };
    if (!spent || ++this.#heldEvents < this.#mostHeld) return { type: 'alive' };
    this.#mostHeld *= 2;
    return this.rest();
  }

  /** The usage that is not recorded yet. */
  rest(): AgentEvent {
    const usage = usageBeyond(this.#held, { in: 0, out: 0, usd: 0 });
    this.#held = { in: 0, out: 0, usd: 0 };
    this.#heldEvents = 0;
    return usage === null ? { type: 'alive' } : saneEvent({ type: 'usage', usage });
  }
}

function spentIn(event: AgentEvent): Usage | null {
  if (event.type === 'turn') return { in: 0, out: 0, usd: 0, turns: 1 };
  return event.type === 'usage' ? event.usage : null;
}

/**
 * Sanitizes what an agent reports: figures that are not numbers or that no log could hold would end the run instead of
 * the agent, and texts that are too long are cut.
 */
export function saneEvent(event: AgentEvent): AgentEvent {
  switch (event.type) {
    case 'tool':
    case 'permission':
    case 'incident':
      return { ...event, detail: event.detail.slice(0, longestDetail) };
    case 'retry': {
      const waitMs = event.waitMs === null ? null : figure(event.waitMs);
      return { ...event, reason: event.reason.slice(0, longestDetail), waitMs };
    }
    case 'usage': {
      const { model, ...figures } = event.usage;
      const sane = Object.entries(figures).map(([name, value]) => [name, figure(value ?? 0)]);
      const usage: Usage = { ...figures, ...Object.fromEntries(sane) };
      return { type: 'usage', usage: model === undefined ? usage : { ...usage, model } };
    }
    case 'text':
    case 'started':
    case 'alive':
    case 'turn':
      return event;
  }
}

function figure(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(value, 0), Number.MAX_SAFE_INTEGER);
}

/** Its size in the log, besides the event itself; null for events that are always kept. */
function lengthOf(event: AgentEvent): number | null {
  switch (event.type) {
    case 'text':
      return event.text.length;
    case 'tool':
    case 'permission':
      return event.tool.length + event.detail.length;
    case 'retry':
      return event.reason.length;
    case 'started':
      return event.session.length + (event.version?.length ?? 0) + (event.model?.length ?? 0);
    case 'usage':
      return event.usage.model?.length ?? 0;
    case 'turn':
      return 0;
    case 'incident':
    case 'alive':
      return null;
  }
}
