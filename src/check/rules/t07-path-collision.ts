import type { Member } from '#check/members/member.ts';
import { symbolId } from '#schema/identity.ts';
import type { Found, Rule } from './rule.ts';
import { foldPath } from './text/fold-path.ts';
import { textProblem } from './text/text-problem.ts';

export const pathCollision = {
  id: 'T07',
  name: 'path-collision',
  category: 'text',
  severity: 'blocking',
  languages: ['any'],
  precision: 1,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 16, real: 16 },
  what: 'The union holds two paths that differ only in case or in the way accents are written. Where file names ignore that, as on macOS and Windows, one file overwrites the other.',
  example: { a: ['+ src/Button.tsx'], b: ['+ src/button.tsx'] },
  move: 'Rename one of the files, or merge the two if they are meant to be the same.',
  proof: ['proven'],
  owner: 'either',
  entails: 'path-spelling',
  detect: {
    meetsAt: foldPath,
    canMeet: (a, b) => pathCollisions(a, b).length > 0,
    text: ({ a, b }) => pathCollisions(a, b).map((collision) => foundCollision(a, b, collision)),
  },
} satisfies Rule;

interface Collision {
  readonly ofA: string;
  readonly ofB: string;
}

/** Paths that two members add and that are equal on file systems that ignore case or Unicode form. */
function pathCollisions(a: Member, b: Member): Collision[] {
  const folded = new Map(addedPaths(a).map((path) => [foldPath(path), path]));
  return addedPaths(b).flatMap((path) => {
    const other = folded.get(foldPath(path));
    return other === undefined || other === path ? [] : [{ ofA: other, ofB: path }];
  });
}

function addedPaths(side: Member): string[] {
  return side.changes.flatMap(({ status, path }) =>
    status === 'added' || status === 'renamed' ? [path] : [],
  );
}

function foundCollision(a: Member, b: Member, { ofA, ofB }: Collision): Found {
  const paths = [ofA, ofB].sort();
  const statement = `${ofA} and ${ofB} are one path where file names ignore case or Unicode form`;
  return {
    problem: textProblem('T07', paths, statement),
    consumer: b,
    provider: a,
    siteSides: paths.map((path) => (path === ofA ? a : b)),
    diagnosis: {
      sitesAreOfBranch: true,
      providerKey: symbolId(paths[0] ?? '', ''),
      confidence: 'proven',
      message: `${a.ref} adds ${ofA}, ${b.ref} adds ${ofB}: one path on file systems that ignore case, as on macOS and Windows`,
      suggestion: 'rename one of them',
      provider: null,
    },
  };
}
