import { readInput } from '#app/workplace/input-file.ts';
import { ShapingHandoff } from '#schema/phase-handoffs.ts';

/** What the shaping of the work promised to check, item by item. */
export function readChecklist(cwd: string, file: string): string[] {
  return readInput(cwd, file, ShapingHandoff, 'shaping handoff').validationChecklist;
}
