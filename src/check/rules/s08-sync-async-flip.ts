import type { ChangedCall } from '#check/members/changed-calls.ts';
import type { Definition } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf } from '#code/languages/index.ts';
import type { BrokenContract } from './contracts/contract.ts';
import type { Rule } from './rule.ts';

export const syncAsyncFlip = {
  id: 'S08',
  name: 'sync-async-flip',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.97,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'One branch makes a function asynchronous, or synchronous again; the other adds a call that treats it the old way and gets a promise instead of a value.',
  example: {
    a: ['- function load(): Config', '+ async function load(): Promise<Config>'],
    b: ['+ const port = load().port;'],
  },
  move: 'Await the call, and make its callers asynchronous as far as needed.',
  proof: ['likely'],
  owner: 'consumer',
  detect: {
    call: flippedAsync,
  },
} satisfies Rule;

/** A function became asynchronous, or synchronous again, and the new call treats it the old way. */
function flippedAsync({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const call = now.use.call;
  const was = isAsynchronous(before.definition);
  const is = isAsynchronous(now.definition);
  if (!call || was === is || now.definition.kind === 'constructor') return null;
  const name = symbolPath(now.definition);
  if (is) {
    if (call.awaited) return null;
    return {
      statement: `${name} is asynchronous and the call is not awaited`,
      message: `${name} is asynchronous on ${provider.ref}; ${consumer.ref} calls it without awaiting it`,
      suggestion: `await the call of ${name}`,
    };
  }
  // Where everything can be awaited, only code that treats the value as a promise breaks.
  const isAwaited = dialectOf(now.path)?.calls.awaitsOnlyAsynchronous === true;
  if (isAwaited ? !call.awaited : call.result !== 'chained') return null;
  return {
    statement: `${name} is not asynchronous and its result is ${isAwaited ? 'awaited' : 'used as a promise'}`,
    message: `${name} is no longer asynchronous on ${provider.ref}; ${consumer.ref} ${isAwaited ? 'awaits it' : 'uses its result as a promise'}`,
    suggestion: `use the result of ${name} directly`,
  };
}

/** By its `async` keyword or by its declared return type. */
function isAsynchronous({ async, signature }: Definition): boolean {
  if (async) return true;
  return /^(?:Promise(?:Like)?\s*<|(?:\w+\.)?(?:Awaitable|Coroutine|Future|Task)\s*\[)/.test(
    signature?.returns ?? '',
  );
}
