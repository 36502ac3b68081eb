import type { Member } from '#check/members/member.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';

export interface Owner {
  readonly ref: string;
  readonly reason: string;
}

/** The files that depend on a symbol in a branch. */
export type BlastRadius = (side: Member, symbol: string) => Dependents;

export interface Dependents {
  /** Files that reach it through at most this many other files. */
  within(steps: number): Promise<Reach>;
}

export interface Reach {
  readonly files: number;
  /** Whether there may be more: none, some further away, or some that were not counted. */
  readonly rest: 'none' | 'further' | 'uncounted';
}

/** The reason when the owner only has to follow the other branch. */
export const mechanical = 'its change is mechanical';

/** More dependents than this are not counted. */
export const enough = 50;

/**
 * The branch that has to change: the one whose adaptation is mechanical, else the one with the smaller blast radius;
 * never base.
 */
export async function chooseOwner(
  { problem, consumer, provider, diagnosis }: DiagnosedProblem,
  radius: BlastRadius,
): Promise<Owner> {
  if (provider.isBase || consumer.isBase) {
    const [base, branch] = provider.isBase ? [provider, consumer] : [consumer, provider];
    return { ref: branch.ref, reason: `${base.ref} is the base: the branch follows it` };
  }
  const { owner } = diagnosis;
  if (typeof owner === 'object') return owner;
  if (owner === 'consumer' || owner === 'provider') {
    const { ref } = owner === 'consumer' ? consumer : provider;
    return { ref, reason: mechanical };
  }
  const why = owner === 'either' ? 'either side could follow' : 'no side can follow mechanically';
  const [ofConsumer, ofProvider] = await compare(
    radius(consumer, problem.consumer),
    radius(provider, diagnosis.provider?.symbol ?? diagnosis.providerKey),
  );
  const smaller = (ref: string, less: Reach, more: Reach) => ({
    ref,
    reason: `${why}; it has the smaller blast radius: ${told(less)} against ${told(more)}`,
  });
  if (isSmaller(ofConsumer, ofProvider)) return smaller(consumer.ref, ofConsumer, ofProvider);
  if (isSmaller(ofProvider, ofConsumer)) return smaller(provider.ref, ofProvider, ofConsumer);
  const { ref } = consumer.changes.length <= provider.changes.length ? consumer : provider;
  const isEqual = ofConsumer.files === ofProvider.files && ofConsumer.rest === ofProvider.rest;
  const depend = isEqual
    ? `${told(ofConsumer)} ${ofConsumer.files === 1 ? 'depends' : 'depend'} on each`
    : 'not all that depends on them was counted';
  return { ref, reason: `${why} and ${depend}; it is the smaller branch` };
}

/** Stops when one is known to be smaller: each step searches the whole repository. */
async function compare(a: Dependents, b: Dependents): Promise<[Reach, Reach]> {
  for (let steps = 0; ; steps++) {
    const [ofA, ofB] = [await a.within(steps), await b.within(steps)];
    const isCounted = ofA.rest !== 'further' && ofB.rest !== 'further';
    if (isCounted || isSmaller(ofA, ofB) || isSmaller(ofB, ofA)) return [ofA, ofB];
  }
}

function isSmaller(less: Reach, more: Reach): boolean {
  return less.rest === 'none' && less.files < more.files;
}

function told({ files, rest }: Reach): string {
  return `${rest === 'none' ? '' : 'at least '}${files} file${files === 1 ? '' : 's'}`;
}
