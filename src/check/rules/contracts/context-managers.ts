import { type ChangedUse, changedCallees } from '#check/members/changed-calls.ts';
import type { ReadMember } from '#check/members/member.ts';
import type { CodePair, Found } from '#check/rules/rule.ts';
import type { Definition, Facts } from '#code/facts/facts.ts';
import { readsResult } from './contract.ts';
import { type Flip, flippedUse } from './flipped-use.ts';

/** Python: a context manager became a plain function, or the reverse, and new code of the other branch uses it the old way. */
export function contextManagers({ a, b, union }: CodePair): Found[] {
  return changedCallees(a, b, union).flatMap((use) => {
    const said = flipped(use);
    return said === null ? [] : [flippedUse(use, said)];
  });
}

const decorator = /(?:^|\.)(?:async)?contextmanager$/;

function isManager({ decorators }: Definition): boolean {
  return decorators.some((name) => decorator.test(name));
}

function flipped({ provider, before, now }: ChangedUse): Flip | null {
  const { use, definition } = now;
  const { call } = use;
  if (!call || use.guarded || use.kind !== 'call') return null;
  const [was, is] = [isManager(before.definition), isManager(definition)];
  if (was && !is && call.result === 'entered' && isPlain(provider, definition))
    return {
      is: 'no context manager any more',
      does: 'enters it with "with"',
      suggestion: `call ${definition.name} without "with"`,
    };
  const relies = call.result === 'dropped' || readsResult(call) || call.unpacked !== null;
  if (!was && is && before.definition.decorators.length === 0 && relies)
    return {
      is: 'a context manager',
      does: 'calls it as a plain function',
      suggestion: `enter it: with ${definition.name}(…)`,
    };
  return null;
}

/** It may return an object that can be entered, unless its branch, which adapts its own code, no longer enters it anywhere. */
function isPlain(provider: ReadMember, { decorators, kind, name, signature }: Definition): boolean {
  if (decorators.length > 0 || (kind !== 'function' && kind !== 'method')) return false;
  if (/Manager\b/.test(signature?.returns ?? '')) return false;
  if (signature?.generator || signature?.returns?.startsWith('tuple[?')) return true;
  const versions = [...provider.changed].map(([path, { oldPath }]) => ({
    before: entries(provider.factsBefore(oldPath ?? path), name),
    now: entries(provider.tree.facts(path), name),
  }));
  return versions.some(({ before }) => before > 0) && versions.every(({ now }) => now === 0);
}

/** How often a file enters something of this name. */
function entries(facts: Facts | undefined, name: string): number {
  const isEntered = facts?.uses.filter(
    ({ root, path, call }) => call?.result === 'entered' && (path.at(-1) ?? root) === name,
  );
  return isEntered?.length ?? 0;
}
