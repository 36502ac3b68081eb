import type { Section } from './fit-sections.ts';
import { type ContextKey, type Isolation, isolationFor, keysOf } from './isolation.ts';

/** A section, and the context key that admits it; null: always included. */
export interface Part extends Section {
  readonly key: ContextKey | null;
}

interface Isolated {
  readonly mode: Isolation['mode'];
  readonly open: readonly Part[];
  /** Sections that were kept out, regardless of size. */
  readonly isolated: readonly string[];
}

/** The only place that decides what an agent sees. A caller cannot add to it. */
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
