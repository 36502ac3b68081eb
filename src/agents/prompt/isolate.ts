import type { Section } from './fit-sections.ts';
import { type ContextKey, type Isolation, isolationFor, keysOf } from './isolation.ts';

/** A section, and the key that lets it through; null: always. */
export interface Part extends Section {
  readonly key: ContextKey | null;
}

interface Isolated {
  readonly mode: Isolation['mode'];
  readonly open: readonly Part[];
  /** What was kept out, whatever room there was. */
  readonly isolated: readonly string[];
}

/** The one place where it is decided what an agent gets to see. Whoever calls cannot add to it. */
export function isolate(parts: readonly Part[], role: string, declared: Isolation | null): Isolated {
  const isolation = isolationFor(role, declared);
  const keys = keysOf(isolation);
  const wanted = parts.filter(({ text }) => text !== '');
  const open = wanted.filter(({ key }) => key === null || keys.has(key));
  return {
    mode: isolation.mode,
    open,
    isolated: wanted.filter((part) => !open.includes(part)).map(({ id }) => id),
  };
}
