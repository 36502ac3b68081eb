import type { DiagnosedProblem } from './diagnosis.ts';
import type { Outline } from './side.ts';

export interface Owner {
  readonly ref: string;
  readonly reason: string;
}

/** The files that depend on a symbol in a branch. */
export type BlastRadius = (side: Outline, symbol: string) => Dependents;

export interface Dependents {
  /** Those that lead to it over so many other files at most. */
  within(steps: number): Promise<Reach>;
}

export interface Reach {
  /** Counted up to `enough`. */
  readonly files: number;
  /** There are no more than these. */
  readonly isAll: boolean;
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
    radius(provider, diagnosis.providerKey),
  );
  if (ofConsumer.files !== ofProvider.files) {
    const isConsumer = ofConsumer.files < ofProvider.files;
    const [less, more] = isConsumer ? [ofConsumer, ofProvider] : [ofProvider, ofConsumer];
    const { ref } = isConsumer ? consumer : provider;
    return { ref, reason: `${why}; it has the smaller blast radius: ${told(less)} against ${told(more)}` };
  }
  const { ref } = consumer.changes.length <= provider.changes.length ? consumer : provider;
  return { ref, reason: `${why} and ${told(ofConsumer)} depend on each; it is the smaller branch` };
}

/** Goes no further than it takes to tell which is smaller: each step searches the whole repository. */
async function compare(a: Dependents, b: Dependents): Promise<[Reach, Reach]> {
  const isFinal = ({ files, isAll }: Reach) => isAll || files >= enough;
  const isTold = (less: Reach, more: Reach) => isFinal(less) && (isFinal(more) || more.files > less.files);
  for (let steps = 0; ; steps++) {
    const [ofA, ofB] = [await a.within(steps), await b.within(steps)];
    if (isTold(ofA, ofB) || isTold(ofB, ofA)) return [ofA, ofB];
  }
}

function told({ files, isAll }: Reach): string {
  return `${isAll ? '' : 'at least '}${files} file${files === 1 ? '' : 's'}`;
}
