import { type AddedPiece, addedPieces } from './clones/clones.ts';
import type { Rule } from './rule.ts';
import type { Sighting, Survey, SurveyedBranch } from './survey/survey.ts';

export const copyOfExtractedCode = {
  id: 'D04',
  name: 'copy-of-extracted-code',
  category: 'duplicate',
  severity: 'minor',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.85,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'One branch takes a piece of code out into a function of its own, and another branch adds one more copy of the piece. Together the new function exists and the copy does not use it.',
  example: {
    a: ['+ export function validateEmail(text) { … }   // taken out of login.ts'],
    b: ['+ signup.ts: a copy of the lines of login.ts'],
  },
  move: 'Call the new function instead of the copy.',
  proof: ['likely'],
  owner: 'consumer',
  givesWay: true,
  detect: { survey: copiesOfExtracted },
} satisfies Rule;

const fewestMarks = 5;
const enough = 0.75;

async function copiesOfExtracted(survey: Survey): Promise<Sighting[]> {
  const gone = new Map<SurveyedBranch, ReadonlySet<number>>();
  for (const side of survey.sides) {
    const news = await side.news();
    gone.set(side, new Set([...news.values()].flatMap(({ code }) => code?.gone ?? [])));
  }
  const extracted = (await addedPieces(survey)).filter(
    (piece) => piece.marks.length >= fewestMarks && shareIn(piece, gone.get(piece.side)) >= enough,
  );
  const found: Sighting[] = [];
  if (extracted.length === 0) return found;
  for (const side of survey.sides)
    for (const [file, { code }] of await side.news()) {
      if (!code || code.added.length < fewestMarks) continue;
      const added = new Set(code.added);
      for (const piece of extracted) {
        if (piece.side === side || !survey.isApart(piece.side, side)) continue;
        if (shareIn(piece, added) < enough || shareIn(piece, gone.get(side)) >= enough) continue;
        const copy = code.pieces.find(({ marks }) => marks.some((mark) => piece.marks.includes(mark)));
        if (file === piece.file && copy?.name === piece.name) continue;
        found.push({
          key: `${piece.file}#${piece.name}`,
          provider: piece,
          sites: [{ side, file, line: copy?.line ?? 1, name: copy?.name ?? '' }],
          subject: piece.name,
          confidence: 'likely',
          message: `${piece.side.ref} takes ${piece.name} out into ${piece.file}; ${side.ref} adds one more copy of its code to ${file}`,
          suggestion: `call ${piece.name} instead of the copy`,
        });
      }
    }
  return found;
}

function shareIn({ marks }: AddedPiece, others: ReadonlySet<number> | undefined): number {
  return marks.filter((mark) => others?.has(mark)).length / marks.length;
}
