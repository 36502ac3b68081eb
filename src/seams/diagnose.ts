import { diagnoseSymbol } from './detectors/symbols/diagnose.ts';
import { diagnoseText } from './detectors/text/diagnose.ts';
import type { DiagnosedProblem } from './diagnosis.ts';
import type { SeamProblem } from './union-problems.ts';

export function diagnose(seam: SeamProblem): DiagnosedProblem {
  return { ...seam, diagnosis: diagnoseText(seam) ?? diagnoseSymbol(seam) };
}
