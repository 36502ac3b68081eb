import { shellWord } from '#lib/shell-word.ts';
import type { GateDefinitions } from '#schema/gates.ts';
import { selectGates } from './select.ts';

/** The prompt section about the gates: commands to paste, and what they will run. Empty if there are none. */
export function gatesPrompt(definitions: GateDefinitions, task: string, files: readonly string[]): string {
  const gates = selectGates(definitions, files, 'full');
  if (gates.length === 0) return '';
  const command = `joinery gates --task ${shellWord(task)}`;
  return [
    '# Quality checks',
    '',
    'Run the gates while you work; do not wait until the end.',
    '',
    'After each group of files, and fix what it reports before you go on:',
    '',
    `    ${command} --fast`,
    '',
    'Before you hand in; all gates have to pass:',
    '',
    `    ${command} --full`,
    '',
    'They are defined in the commit you started from and will run again on your work, even if you change their definition:',
    '',
    ...gates.map(({ id, command: line }) => `- ${id}: \`${line}\``),
    '',
    'Exit code 0: all passed. 1: a gate failed, its output says why. Each run is recorded.',
    '',
  ].join('\n');
}
