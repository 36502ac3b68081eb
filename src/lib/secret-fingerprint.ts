import { pbkdf2Sync } from 'node:crypto';

/** Slow enough that a short password cannot be guessed from a report. */
const rounds = 5000;

/** Identifies a secret without revealing it: the same for the same line of the same file, wherever in the file it is. */
export function secretFingerprint(path: string, kind: string, line: string): string {
  return pbkdf2Sync(line.trim(), `sec1 ${path} ${kind}`, rounds, 8, 'sha256').toString('hex');
}
