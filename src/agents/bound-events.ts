import type { Usage } from '../model/run.ts';
import type { AgentEvent } from './driver.ts';

/** What one attempt may put into the log: an agent that does not stop talking must not fill a disk. */
const mostCharacters = 16 * 1024 * 1024;
/** Besides what an event says, for the event itself. */
const perEvent = 200;
/** Cut here and nowhere before: a secret of which a part was cut off is not found any more. */
const longestDetail = 300;

/** Who has said too much is heard, and counted, but not recorded. */
export function boundEvents(most = mostCharacters): (event: AgentEvent) => AgentEvent {
  let left = most;
  return (event) => {
    const length = lengthOf(event);
    if (length === 0) return event;
    const hadRoom = left > 0;
    left -= length + perEvent;
    if (left > 0) return event;
    return hadRoom
      ? { type: 'text', text: '… from here on nothing is recorded: it has said too much' }
      : { type: 'alive' };
  };
}

/**
 * What an agent reports, as far as it can be: figures that are none, or that no log could hold, would end the run and
 * not the agent, and what is too long nobody reads.
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

/** What it costs to keep; 0 for what is always kept. */
function lengthOf(event: AgentEvent): number {
  switch (event.type) {
    case 'text':
      return event.text.length;
    case 'tool':
    case 'permission':
      return event.tool.length + event.detail.length;
    case 'retry':
      return event.reason.length;
    case 'incident':
    case 'started':
    case 'alive':
    case 'turn':
    case 'usage':
      return 0;
  }
}
