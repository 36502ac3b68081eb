import type { AgentEvent } from './driver.ts';

/** What one attempt may put into the log: an agent that does not stop talking must not fill a disk. */
const mostCharacters = 16 * 1024 * 1024;
/** Besides what an event says, for the event itself. */
const perEvent = 200;
const longestDetail = 1000;

/** Cuts what is too long for people to read. Who has said too much is heard, and counted, but not recorded. */
export function boundEvents(most = mostCharacters): (event: AgentEvent) => AgentEvent {
  let left = most;
  return (whole) => {
    const event = cut(whole);
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

function cut(event: AgentEvent): AgentEvent {
  switch (event.type) {
    case 'tool':
    case 'permission':
    case 'incident':
      return { ...event, detail: event.detail.slice(0, longestDetail) };
    case 'retry':
      return { ...event, reason: event.reason.slice(0, longestDetail) };
    case 'text':
    case 'started':
    case 'alive':
    case 'turn':
    case 'usage':
      return event;
  }
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
