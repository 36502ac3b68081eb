import { familyOf } from '#code/languages/index.ts';
import type { FileChange } from './change.ts';

const exported =
  /\bexport\s+(?:declare\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|const|let|var|interface|type|enum|namespace)\s+(\w+)/g;
const defined = /^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]+)?=(?!=)/;

/**
 * Names a module had and no longer has, as far as its changed lines tell; null when only its facts can: exports in
 * lists, destructuring, imports that are passed on.
 */
export function goneNames({ path, before, lines }: FileChange): string[] | null {
  const names = familyOf(path) === 'python' ? pythonNames : scriptNames;
  if (before === null || isWrittenElsewhere(path, before, lines.removed)) return null;
  const removed = lines.removed.flatMap(({ text }) => names(text));
  const added = new Set(lines.added.flatMap(({ text }) => names(text)));
  return removed.filter((name) => !added.has(name));
}

function isWrittenElsewhere(path: string, before: string, removed: FileChange['lines']['removed']): boolean {
  if (familyOf(path) === 'python')
    return (
      removed.some(({ text }) => /^(from|import|try|if|with|for)\b|^[\w\s,()]+,[\w\s,()]*=/.test(text)) ||
      /^__all__/m.test(before)
    );
  return /\bexport\s*(type\s*)?[{*=]|\bexport\s+(const|let|var)\s*[{[]|\bexports\b/.test(before);
}

function scriptNames(text: string): string[] {
  const named = [...text.matchAll(exported)].flatMap((match) => match[1] ?? []);
  return /\bexport\s+default\b/.test(text) ? [...named, 'default'] : named;
}

function pythonNames(text: string): string[] {
  const [, definition, variable] = defined.exec(text) ?? [];
  return [definition, variable].filter((name) => name !== undefined);
}
