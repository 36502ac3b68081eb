import type { DiagnosedProblem } from './diagnosis.ts';
import type { Side } from './side.ts';

export interface Owner {
  readonly ref: string;
  readonly reason: string;
}

/** Who should move: the branch whose adaptation is mechanical, else the one with the smaller blast radius; base never. */
export function chooseOwner(
  { consumer, provider, diagnosis }: DiagnosedProblem,
  consumerSites: number,
): Owner {
  if (provider.isBase)
    return { ref: consumer.ref, reason: `${provider.ref} is the base: the branch follows it` };
  if (consumer.isBase)
    return { ref: provider.ref, reason: `${consumer.ref} is the base: the branch follows it` };
  const { mechanical } = diagnosis;
  if (mechanical.consumer && !mechanical.provider) {
    return { ref: consumer.ref, reason: `its change is mechanical: ${diagnosis.suggestion}` };
  }
  if (mechanical.provider && !mechanical.consumer) {
    return { ref: provider.ref, reason: `its change is mechanical: ${diagnosis.suggestion}` };
  }
  return smallerRadius(consumer, provider, consumerSites);
}

function smallerRadius(consumer: Side, provider: Side, consumerSites: number): Owner {
  const providerRadius = Math.max(1, provider.changes.length);
  const consumerRadius = Math.max(consumerSites, consumer.changes.length);
  const [small, large, owner] =
    consumerRadius <= providerRadius
      ? [consumerRadius, providerRadius, consumer]
      : [providerRadius, consumerRadius, provider];
  const compared =
    small === large
      ? `both change ${small} file${small > 1 ? 's' : ''}; the one that uses the name follows`
      : `it changes ${small} file${small > 1 ? 's' : ''}, the other branch ${large}`;
  return { ref: owner.ref, reason: compared };
}
