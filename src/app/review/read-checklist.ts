import { readInput } from '#app/workplace/input-file.ts';
import { ShapingHandoff } from '#schema/phase-handoffs.ts';

/** The checklist from the shaping phase, item by item. */
export function readChecklist(cwd: string, file: string): string[] {
  return readInput(cwd, file, ShapingHandoff, 'shaping handoff').validationChecklist;
}
