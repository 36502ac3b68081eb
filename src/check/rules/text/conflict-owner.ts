import type { Owner } from '#check/findings/owner.ts';
import type { Member } from '#check/members/member.ts';
import type { TextPair } from '#check/rules/rule.ts';

/** The branch to rebase (the smaller one, never base) and the one to rebase it on. */
export function rebasing(a: Member, b: Member): { readonly consumer: Member; readonly provider: Member } {
  const isB = a.isBase || (!b.isBase && a.changes.length >= b.changes.length);
  return isB ? { consumer: b, provider: a } : { consumer: a, provider: b };
}

/** The owner of the conflict and of all findings that explain it; undefined when the text merges. */
export function conflictOwner({ a, b, conflict }: Pick<TextPair, 'a' | 'b' | 'conflict'>): Owner | undefined {
  if (!conflict) return undefined;
  const { consumer, provider } = rebasing(a, b);
  return {
    ref: consumer.ref,
    reason: `it is the smaller change: ${consumer.changes.length} against ${provider.changes.length} files`,
  };
}
