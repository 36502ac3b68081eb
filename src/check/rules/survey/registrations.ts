import { isTestCode } from '#tests/code/test-path.ts';
import { type ChangedText, newLines } from './changed-text.ts';
import { hasNames } from './distinctive-names.ts';

/** Calls that put something into a registry: `{ callee: 'registry.register', line: 12 }`. */
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

export function readRegistrations({ path, before, after }: ChangedText): Registrations | undefined {
  if (!hasNames(path) || isTestCode(path)) return undefined;
  const callsIn = (from: string, to: string) =>
    newLines(from, to).flatMap(({ line, text }) => {
      const [, callee] = registering.exec(text) ?? [];
      return callee ? [{ callee, line }] : [];
    });
  const news = { added: callsIn(before, after), gone: callsIn(after, before) };
  return news.added.length + news.gone.length === 0 ? undefined : news;
}
