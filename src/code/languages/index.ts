import type { Language } from '../language.ts';
import { python, pythonStub } from './python/index.ts';
import { typescriptLanguageOf, typescriptLanguages } from './typescript/index.ts';

/** What the rules tell apart: how calls bind, what an export is. */
export type Family = 'typescript' | 'javascript' | 'python' | 'data';

const byId = new Map([...typescriptLanguages, python, pythonStub].map((language) => [language.id, language]));

/** The language a file is read in; undefined when it is none we know. */
export function languageOf(path: string): Language | undefined {
  const id = idOf(path);
  return id === null ? undefined : byId.get(id);
}

export function familyOf(path: string): Family | undefined {
  switch (idOf(path)) {
    case null:
      return undefined;
    case 'ts':
    case 'tsx':
    case 'dts':
      return 'typescript';
    case 'js':
      return 'javascript';
    case 'python':
    case 'pyi':
      return 'python';
    default:
      return 'data';
  }
}

function idOf(path: string): string | null {
  if (path.endsWith('.py')) return python.id;
  if (path.endsWith('.pyi')) return pythonStub.id;
  return typescriptLanguageOf(path);
}
