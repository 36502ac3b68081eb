import { hostileBombs } from './bombs.ts';
import { hostileContent } from './content.ts';
import { hostileGit } from './git.ts';
import type { HostileRepository } from './hostile-repository.ts';
import { hostileReferences } from './references.ts';

/** Written by an author who had not read the checks. */
export const secondRound: readonly HostileRepository[] = [
  ...hostileGit,
  ...hostileReferences,
  ...hostileContent,
  ...hostileBombs,
];
