import { symbolPath } from '#code/facts/facts-index.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import type { Rule, Said } from './rule.ts';
import { foundLost, type LostEdit, saidOfMove } from './text/lost-edits.ts';

export const modifyVsDelete = {
  id: 'T04',
  name: 'modify-vs-delete',
  category: 'text',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.98,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 16, real: 16 },
  what: 'One branch deletes a symbol, or rewrites it elsewhere, while the other one edits it. Git shows at most conflicting lines; this names the symbol whose edit would be lost.',
  example: {
    a: ['- export function slugify(text) { ... }'],
    b: [
      '  export function slugify(text) {',
      '-   return text.toLowerCase();',
      '+   return text.trim().toLowerCase();',
    ],
  },
  move: 'Decide whether the symbol stays. If it moved, carry the edit to its new place; if it is gone, check that its replacement needs the same edit.',
  proof: ['proven', 'likely'],
  owner: 'neither',
  detect: {
    *text(pair) {
      for (const lost of pair.lostEdits) {
        const { gone } = lost;
        if (gone.kind === 'removed') yield foundLost('T04', pair, lost, saidOfRemoved(lost));
        // The code changed on the way, so the edit may not apply there.
        else if (gone.kind === 'rewritten')
          yield foundLost('T04', pair, lost, {
            ...saidOfMove(lost, gone.after),
            confidence: 'likely',
            owner: 'consumer',
          });
      }
    },
  },
} satisfies Rule;

function saidOfRemoved({ remover, editor, before }: LostEdit): Omit<Said, 'sitesAreOfBranch'> {
  const { path, definition } = before;
  const name = symbolPath(definition);
  const isFileGone = remover.changes.some((change) => change.path === path && change.status === 'deleted');
  return {
    providerKey: isFileGone ? symbolId(path, '') : symbolId(path, name),
    confidence: 'proven',
    message: `${remover.ref} removes ${isFileGone ? path : `${name} of ${path}`}, where ${editor.ref} changes ${name}: the change would be lost`,
    suggestion: `keep ${name}, or check that what takes its place needs the same change`,
    provider: { ...place(path, definition, name), removed: true },
  };
}
