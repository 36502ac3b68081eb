import type { ChangedCall } from '#check/members/changed-calls.ts';
import type { BrokenContract } from '#check/rules/symbols/contracts.ts';
import type { Definition } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';

/** S08: a function became asynchronous, or synchronous again, and the new call treats it the old way. */
export function flippedAsync({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const call = now.use.call;
  const was = isAsynchronous(before.definition);
  const is = isAsynchronous(now.definition);
  if (!call || was === is || now.definition.kind === 'constructor') return null;
  const name = symbolPath(now.definition);
  if (is) {
    if (call.awaited) return null;
    return {
      rule: 'S08',
      statement: `${name} is asynchronous and the call is not awaited`,
      message: `${name} is asynchronous on ${provider.ref}; ${consumer.ref} calls it without awaiting it`,
      suggestion: `await the call of ${name}`,
    };
  }
  const isPython = now.path.endsWith('.py');
  // JavaScript lets everything be awaited; only what treats the value as a promise breaks.
  if (isPython ? !call.awaited : call.result !== 'chained') return null;
  return {
    rule: 'S08',
    statement: `${name} is not asynchronous and its result is ${isPython ? 'awaited' : 'used as a promise'}`,
    message: `${name} is no longer asynchronous on ${provider.ref}; ${consumer.ref} ${isPython ? 'awaits it' : 'uses its result as a promise'}`,
    suggestion: `use the result of ${name} directly`,
  };
}

/** By its own word or by what it says it returns. */
function isAsynchronous({ async, signature }: Definition): boolean {
  if (async) return true;
  return /^(?:Promise(?:Like)?\s*<|(?:\w+\.)?(?:Awaitable|Coroutine|Future|Task)\s*\[)/.test(
    signature?.returns ?? '',
  );
}
