import type { AgentEvent, AgentRequest } from '#agents/driver.ts';
import { loginIn, redactorOf, type Secret, secretsIn, secretsInArgument, secretsInUrl } from '#lib/redact.ts';
import type { McpServer } from '#schema/agent.ts';

/**
 * Removes secrets from what an agent says before it reaches a log: variables admitted for this agent alone, values handed
 * to its MCP servers, variables with a secret's name, and credentials in URLs.
 */
export function redactor(
  given: Pick<AgentRequest, 'env' | 'mcpServers'>,
  isLetIn: (name: string) => boolean,
): (text: string) => string {
  return redactorOf(secretsGiven(given, isLetIn));
}

/** The same values, to search the work of the agent: there they would be as public as in a log. */
export function secretsGiven(
  { env, mcpServers }: Pick<AgentRequest, 'env' | 'mcpServers'>,
  isLetIn: (name: string) => boolean,
): Secret[] {
  return [
    ...Object.entries(env).flatMap(([name, value]) => secretsIn(name, value, isLetIn(name))),
    ...Object.entries(mcpServers).flatMap(([name, server]) => secretsOf(name, server)),
  ];
}

function secretsOf(server: string, given: McpServer): Secret[] {
  const pairs = Object.entries('url' in given ? given.headers : given.env);
  const handed = pairs.flatMap(([name, value]) => secretsIn(name, value, true));
  if ('url' in given) return [...handed, ...loginIn('url', given.url), ...secretsInUrl(given.url)];
  return [...handed, ...given.args.flatMap((arg, n) => secretsInArgument(server, arg, given.args[n - 1]))];
}

export function redactEvent(event: AgentEvent, redact: (text: string) => string): AgentEvent {
  switch (event.type) {
    case 'text':
      return { ...event, text: redact(event.text) };
    case 'tool':
    case 'permission':
      return { ...event, tool: redact(event.tool), detail: redact(event.detail) };
    case 'incident':
      return { ...event, detail: redact(event.detail) };
    case 'retry':
      return { ...event, reason: redact(event.reason) };
    case 'started': {
      const clean = (told: string | null) => (told === null ? null : redact(told));
      return {
        ...event,
        session: redact(event.session),
        version: clean(event.version),
        model: clean(event.model),
      };
    }
    case 'usage': {
      const { model } = event.usage;
      return model === undefined ? event : { ...event, usage: { ...event.usage, model: redact(model) } };
    }
    case 'alive':
    case 'turn':
      return event;
  }
}
