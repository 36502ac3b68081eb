import type { Member } from '#check/members/member.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';

export interface Owner {
  readonly ref: string;
  readonly reason: string;
}

/** The files that depend on a symbol in a branch. */
export type BlastRadius = (side: Member, symbol: string) => Dependents;

export interface Dependents {
  /** Those that lead to it over so many other files at most. */
  within(steps: number): Promise<Reach>;
}

export interface Reach {
  readonly files: number;
  /** Whether there are more: none, perhaps some further away, or perhaps some that nobody will count. */
  readonly rest: 'none' | 'further' | 'uncounted';
}

/** Beyond this many dependents it no longer matters how many more there are. */
export const enough = 50;

/** Who should move: the branch whose adaptation is mechanical, else the one with the smaller blast radius; base never. */
export async function chooseOwner(
  { problem, consumer, provider, diagnosis }: DiagnosedProblem,
  radius: BlastRadius,
): Promise<Owner> {
  if (provider.isBase || consumer.isBase) {
    const [base, branch] = provider.isBase ? [provider, consumer] : [consumer, provider];
    return { ref: branch.ref, reason: `${base.ref} is the base: the branch follows it` };
  }
  if (diagnosis.owner) return diagnosis.owner;
  const { mechanical } = diagnosis;
  if (mechanical.consumer !== mechanical.provider) {
    const owner = mechanical.consumer ? consumer : provider;
    return { ref: owner.ref, reason: 'its change is mechanical' };
  }
  const why = mechanical.consumer ? 'either side could follow' : 'no side can follow mechanically';
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

/** Goes no further than it takes to tell which is smaller: each step searches the whole repository. */
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
