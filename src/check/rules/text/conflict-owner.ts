import type { Owner } from '#check/findings/owner.ts';
import type { Member } from '#check/members/member.ts';
import type { TextPair } from '#check/rules/rule.ts';

/** What decides who rebases: `{ ref: 'feat/a', isBase: false, changes: [one, two] }`. */
type Rebasable = Pick<Member, 'ref' | 'isBase'> & { readonly changes: { readonly length: number } };

/** The branch to rebase (the smaller one, never base) and the one to rebase it on. */
export function rebasing<T extends Rebasable>(a: T, b: T): { readonly consumer: T; readonly provider: T } {
  const isB = a.isBase || (!b.isBase && a.changes.length >= b.changes.length);
  return isB ? { consumer: b, provider: a } : { consumer: a, provider: b };
}

/** The owner of the conflict and of all findings that explain it; undefined when the text merges. */
export function conflictOwner({ a, b, conflict }: Pick<TextPair, 'a' | 'b' | 'conflict'>): Owner | undefined {
  return conflict ? ownerOf(a, b) : undefined;
}

export function ownerOf(a: Rebasable, b: Rebasable): Owner {
  const { consumer, provider } = rebasing(a, b);
  return { ref: consumer.ref, reason: reasonFor(consumer, provider) };
}

function reasonFor(consumer: Rebasable, provider: Rebasable): string {
  const [few, many] = [consumer.changes.length, provider.changes.length];
  const files = few === 1 ? '1 file' : `${few} files`;
  return few === many
    ? `both change ${files}; it was named last`
    : `it is the smaller change: ${files} against ${many}`;
}
