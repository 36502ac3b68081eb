import type { DiagnosedProblem } from './diagnosis.ts';
import type { Outline } from './side.ts';

export interface Owner {
  readonly ref: string;
  readonly reason: string;
}

/** How many files depend on a symbol in a branch. */
export type BlastRadius = (side: Outline, symbol: string) => Promise<number>;

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
  const ofConsumer = await radius(consumer, problem.consumer);
  const ofProvider = await radius(provider, diagnosis.providerKey);
  if (ofConsumer !== ofProvider) {
    const [owner, less, more] =
      ofConsumer < ofProvider ? [consumer, ofConsumer, ofProvider] : [provider, ofProvider, ofConsumer];
    return {
      ref: owner.ref,
      reason: `${why}; it has the smaller blast radius: ${files(less)} against ${more}`,
    };
  }
  const owner = consumer.changes.length <= provider.changes.length ? consumer : provider;
  return {
    ref: owner.ref,
    reason: `${why} and ${files(ofConsumer)} depend on each; it is the smaller branch`,
  };
}

function files(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`;
}
