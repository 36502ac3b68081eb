import { likeness as likenessOf } from '#check/rules/survey/clone-tokens.ts';
import type { CodePiece } from '#check/rules/survey/code-pieces.ts';
import { gather, meetings, type Survey, type SurveyedBranch } from '#check/rules/survey/survey.ts';

/** A function that a side added. */
export interface AddedPiece extends CodePiece {
  readonly side: SurveyedBranch;
  readonly file: string;
}

export interface Clone {
  readonly first: AddedPiece;
  readonly second: AddedPiece;
  /** 1: identical except for names; otherwise the similarity of their tokens. */
  readonly likeness: number;
}

/** Smaller functions are alike by chance. */
const fewestForSame = 18;
const fewestForNear = 60;
const alike = 0.8;
/** A run of tokens that occurs in this many functions is an idiom of the language. */
const mostWithOneShingle = 12;

const known = new WeakMap<Survey, Promise<Clone[]>>();

/** Functions that different branches add and that are identical or nearly so. Linear in the added code. */
export function clonesOf(survey: Survey): Promise<Clone[]> {
  const clones = known.get(survey) ?? findClones(survey);
  known.set(survey, clones);
  return clones;
}

/** Functions that the sides added. */
export async function addedPieces(survey: Survey): Promise<AddedPiece[]> {
  const all = await gather(
    survey,
    ({ code }) => code?.pieces ?? [],
    (piece: CodePiece, at) => ['', { ...piece, ...at }] as const,
  );
  return all.get('') ?? [];
}

async function findClones(survey: Survey): Promise<Clone[]> {
  const pieces = (await addedPieces(survey)).filter(({ tokens }) => tokens >= fewestForSame);
  const same = [...Map.groupBy(pieces, ({ hash }) => hash).values()]
    .flatMap((group) => meetings(survey, group))
    .filter(([a, b]) => isWorthTelling(a, b))
    .map(([first, second]) => ({ first, second, likeness: 1 }));
  const told = new Set(same.flatMap(({ first, second }) => [first, second]));
  return [
    ...same,
    ...nearClones(
      survey,
      pieces.filter((piece) => piece.tokens >= fewestForNear && !told.has(piece)),
    ),
  ];
}

function nearClones(survey: Survey, pieces: readonly AddedPiece[]): Clone[] {
  const holding = new Map<number, number[]>();
  for (const [at, { sketch }] of pieces.entries())
    for (const shingle of sketch) {
      const others = holding.get(shingle);
      if (others) others.push(at);
      else holding.set(shingle, [at]);
    }
  const found: Clone[] = [];
  for (const [at, piece] of pieces.entries()) {
    const shared = new Map<number, number>();
    for (const shingle of piece.sketch) {
      const others = holding.get(shingle) ?? [];
      if (others.length <= mostWithOneShingle)
        for (const other of others) if (other < at) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    const [best] = [...shared].sort(([, a], [, b]) => b - a);
    const other = best && pieces[best[0]];
    if (!other || meetings(survey, [other, piece]).length === 0 || !isWorthTelling(other, piece)) continue;
    const likeness = likenessOf(other, piece);
    if (likeness >= alike) found.push({ first: other, second: piece, likeness: Math.min(likeness, 0.99) });
  }
  return found;
}

/** Two additions at one place conflict as text; methods of one name in two classes are two implementations of one call. */
function isWorthTelling(a: AddedPiece, b: AddedPiece): boolean {
  if (a.file === b.file && a.name === b.name) return false;
  return a.container === null || b.container === null || a.name !== b.name;
}
