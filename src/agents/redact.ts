import type { AgentEvent } from './driver.ts';

const secretName = /key|token|secret|password|credential|auth/i;
/** Shorter values are words that stand anywhere. */
const shortest = 8;

/** Writes the names of secret variables where their values stood. Nothing an agent says may carry them into a log. */
export function redactor(env: Readonly<Record<string, string>>): (text: string) => string {
  const secrets = Object.entries(env).filter(
    ([name, value]) => secretName.test(name) && value.length >= shortest,
  );
  return (text) => secrets.reduce((clean, [name, value]) => clean.replaceAll(value, `[${name}]`), text);
}

export function redactEvent(event: AgentEvent, redact: (text: string) => string): AgentEvent {
  switch (event.type) {
    case 'text':
      return { ...event, text: redact(event.text) };
    case 'tool':
    case 'permission':
    case 'incident':
      return { ...event, detail: redact(event.detail) };
    case 'retry':
      return { ...event, reason: redact(event.reason) };
    case 'started':
    case 'alive':
    case 'turn':
    case 'usage':
      return event;
  }
}
