import { hostileBombs } from './bombs.ts';
import { hostileContent } from './content.ts';
import { hostileGit } from './git.ts';
import type { HostileRepository } from './hostile-repository.ts';
import { hostileReferences } from './references.ts';

/** By somebody who had not read what is checked. */
export const secondRound: readonly HostileRepository[] = [
  ...hostileGit,
  ...hostileReferences,
  ...hostileContent,
  ...hostileBombs,
];
