import type { Rule } from './rule.ts';
import { foundLost, saidOfMove } from './text/lost-edits.ts';

export const movedCodeLosesEdit = {
  id: 'T05',
  name: 'moved-code-loses-edit',
  category: 'text',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.97,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 16, real: 16 },
  what: 'One branch moves code to another file, the other edits it in the old one. Git sees removed lines and added lines: the moved copy does not have the edit, and resolving the conflict in favour of the move silently loses it.',
  example: {
    a: [
      '- parse.ts:   export function parse(input) { ... }',
      '+ parser.ts:  export function parse(input) { ... }',
    ],
    b: ['  parse.ts:   export function parse(input) {', "+               if (input === '') return null;"],
  },
  move: 'Make the edit again at the new place.',
  proof: ['proven'],
  owner: 'consumer',
  detect: {
    *text(pair) {
      for (const lost of pair.lostEdits) {
        if (lost.gone.kind === 'moved')
          yield foundLost('T05', pair, lost, { ...saidOfMove(lost, lost.gone.after), confidence: 'proven' });
      }
    },
  },
} satisfies Rule;
