import type { Random } from '../../random.ts';
import type { Candidate, Operator } from '../operator.ts';
import { type CoherenceGround, drawWords } from './ground.ts';

/** Input of a maker: a project, words of it, and the number of earlier candidates. */
export interface Making {
  readonly ground: CoherenceGround;
  readonly random: Random;
  readonly words: readonly [string, string, string];
  readonly n: number;
  readonly isPython: boolean;
  /** `app/mail.ts`, `app/mail.py`. */
  readonly file: (stem: string) => string;
}

const mostCandidates = 60;

/** An operator whose candidates are built from words and functions of the project. */
export function seeding(
  way: Pick<Operator, 'name' | 'rule' | 'oracle' | 'companions'>,
  make: (making: Making) => Candidate | null,
): Operator<CoherenceGround> {
  return {
    ...way,
    *candidates(ground, random) {
      const isPython = ground.language === 'python';
      for (let n = 0; n < mostCandidates; n++) {
        const words = drawWords(ground, random);
        const file = (stem: string) => `${stem}.${isPython ? 'py' : 'ts'}`;
        const made = make({ ground, random, words, n, isPython, file });
        if (made) yield made;
      }
    },
  };
}

export function capital(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}

/** One of several forms, in turn. */
export function inTurn<T>(forms: readonly T[], n: number): T {
  return forms[n % forms.length] as T;
}

/** Files by path; undefined ones are left out. */
export function filesOf(...files: readonly (readonly [string, string])[]): Map<string, string> {
  return new Map(files);
}

/** A program in the language of the project. */
export function probeOf(
  isPython: boolean,
  typescript: string,
  python: string,
): NonNullable<Candidate['probe']> {
  return isPython ? { run: 'python', script: python } : { run: 'node', script: typescript };
}

/** Lines far apart, so that git merges additions at both ends. */
export function spaced(head: string, tail: string, mark: string): string {
  const filler = Array.from({ length: 8 }, (_, n) => `${mark} part ${n + 1}`).join('\n');
  return `${head}\n${filler}\n${tail}\n`;
}
