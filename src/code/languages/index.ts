import type { Language } from '#code/facts/language.ts';
import { component, isComponentPath } from './components/index.ts';
import { cssModule, isCssModulePath } from './css/index.ts';
import { dotenv, isDotenvPath } from './dotenv/index.ts';
import { isJsonPath, json } from './json/index.ts';
import { isLockFile } from './lock-files.ts';
import { python, pythonStub } from './python/index.ts';
import { isTomlPath, toml } from './toml/index.ts';
import { typescriptLanguageOf, typescriptLanguages } from './typescript/index.ts';
import { isYamlPath, yaml } from './yaml/index.ts';

/** What the rules tell apart: how calls bind, what an export is. */
export type Family = 'typescript' | 'javascript' | 'python' | 'data';

const dataFormats = [
  { language: json, holds: isJsonPath },
  { language: yaml, holds: isYamlPath },
  { language: toml, holds: isTomlPath },
  { language: dotenv, holds: isDotenvPath },
  { language: cssModule, holds: isCssModulePath },
];

const languages = [
  ...typescriptLanguages,
  python,
  pythonStub,
  component,
  ...dataFormats.map(({ language }) => language),
];
const byId = new Map(languages.map((language) => [language.id, language]));

/** The language a file is read in; undefined when it is none we know. */
export function languageOf(path: string): Language | undefined {
  const id = idOf(path);
  return id === null ? undefined : byId.get(id);
}

export function languageWithId(id: string): Language | undefined {
  return byId.get(id);
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
    case 'component':
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
  if (isComponentPath(path)) return component.id;
  return typescriptLanguageOf(path) ?? (isLockFile(path) ? null : dataFormatOf(path));
}

function dataFormatOf(path: string): string | null {
  return dataFormats.find(({ holds }) => holds(path))?.language.id ?? null;
}
