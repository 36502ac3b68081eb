import type { Language } from '../language.ts';
import { python, pythonStub } from './python/index.ts';

export type Family = 'typescript' | 'javascript' | 'python' | 'data';

export function languageOf(path: string): Language | undefined {
  if (path.endsWith('.py')) return python;
  if (path.endsWith('.pyi')) return pythonStub;
  return undefined;
}

/** What kind of language a file is in, as far as the rules differ; undefined when it is none we read. */
export function familyOf(path: string): Family | undefined {
  if (/\.pyi?$/.test(path)) return 'python';
  return undefined;
}
