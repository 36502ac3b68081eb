import { symbolPath } from '../code/facts-index.ts';
import { diagnoseSymbol } from './detectors/symbols/diagnose.ts';
import { diagnoseText } from './detectors/text/diagnose.ts';
import type { DiagnosedProblem } from './diagnosis.ts';
import type { Side } from './side.ts';
import type { SeamProblem } from './union-problems.ts';

export function diagnose(seam: SeamProblem): DiagnosedProblem {
  return {
    ...seam,
    siteSides: sidesOf(seam),
    diagnosis: diagnoseText(seam) ?? diagnoseSymbol(seam),
  };
}

/** In the order of the file: of a duplicate one is the other branch's. */
function sidesOf({ problem, consumer, provider }: SeamProblem): Side[] {
  if (problem.kind !== 'duplicate-definition' && problem.kind !== 'duplicate-key') return [consumer];
  const name = problem.provider.slice(problem.file.length + 1);
  const lineIn = (side: Side) =>
    side.tree.facts(problem.file)?.definitions.find((definition) => symbolPath(definition) === name)?.line ??
    0;
  return lineIn(consumer) <= lineIn(provider) ? [consumer, provider] : [provider, consumer];
}
