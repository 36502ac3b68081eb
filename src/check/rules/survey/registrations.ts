import { isTestCode } from '#tests/code/test-path.ts';
import type { ChangedText, Line } from './changed-text.ts';
import { hasNames } from './distinctive-names.ts';

/** Calls that add something to a registry: `{ callee: 'registry.register', line: 12 }`. */
export interface Registrations {
  readonly added: readonly Registration[];
  readonly gone: readonly Registration[];
}

interface Registration {
  readonly callee: string;
  readonly line: number;
}

const registering =
  /^\s*(?:await\s+)?(@?[\w]+(?:\.\w+)*\.(?:register|add|use|mount|install|provide|bind|include|connect|attach)\w*|@?register\w*)\(/;

export function readRegistrations({ path, added, gone }: ChangedText): Registrations | undefined {
  if (!hasNames(path) || isTestCode(path)) return undefined;
  const callsIn = (lines: readonly Line[]) =>
    lines.flatMap(({ line, text }) => {
      const [, callee] = registering.exec(text) ?? [];
      return callee ? [{ callee, line }] : [];
    });
  const news = { added: callsIn(added), gone: callsIn(gone) };
  return news.added.length + news.gone.length === 0 ? undefined : news;
}
