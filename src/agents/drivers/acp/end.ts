import type { AgentEnd } from '#agents/driver.ts';
import type { RpcError } from './json-rpc.ts';

/** Maps the agent's stop reason to an outcome. */
export function endOf(stopReason: string): AgentEnd {
  switch (stopReason) {
    case 'end_turn':
      return { outcome: 'ok', reason: '' };
    case 'max_tokens':
    case 'max_turn_requests':
      return { outcome: 'limit', reason: `its own limit: ${stopReason}` };
    case 'refusal':
      return { outcome: 'denied', reason: 'the model refused' };
    case 'cancelled':
      return { outcome: 'crashed', reason: 'it reports that it was cancelled, but we did not cancel it' };
    default:
      return { outcome: 'crashed', reason: `it ended with ${JSON.stringify(stopReason)}` };
  }
}

/** Words in errors of the model's API, whichever layer reports them. */
const apiWords =
  /\b(40[0-9]|429|5\d\d)\b|quota|rate.?limit|overloaded|unauthori[sz]ed|forbidden|api.?key|auth|billing|credit|fetch failed|ECONN|API.?error|connection (error|refused|reset|closed)|socket|network|timed? ?out|stream|terminated|hang up|JSON (input|segment|pars)/i;

export function failureOf({ code, message, data }: RpcError): AgentEnd {
  const reason = `${message} ${data === undefined ? '' : JSON.stringify(data)}`.trim();
  // -32000: a login is required.
  if (code === -32000) return { outcome: 'api_error', reason: `it needs a login: ${reason}` };
  return { outcome: apiWords.test(reason) ? 'api_error' : 'crashed', reason };
}
