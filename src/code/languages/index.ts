import type { Language } from '#code/facts/language.ts';
import { directoryOf } from '#code/resolve/repository-path.ts';
import { remembered } from '#lib/remembered.ts';
import { componentEntry } from './components/index.ts';
import { csharpEntry } from './csharp/index.ts';
import { cssModuleEntry } from './css/index.ts';
import type { Dialect, LanguageEntry } from './dialect.ts';
import { dotenvEntry } from './dotenv/index.ts';
import { goEntry } from './go/index.ts';
import { javaEntry } from './java/index.ts';
import { jsonEntry } from './json/index.ts';
import { isLockFile } from './lock-files.ts';
import { phpEntry } from './php/index.ts';
import { pythonEntries } from './python/index.ts';
import { rubyEntry } from './ruby/index.ts';
import { rustEntry } from './rust/index.ts';
import { packageIn } from './shared/packages.ts';
import { tomlEntry } from './toml/index.ts';
import { typescriptEntries } from './typescript/index.ts';
import { yamlEntry } from './yaml/index.ts';

/** All languages and data formats that are read. A new one is a folder and a line here. */
const entries: readonly LanguageEntry[] = [
  ...typescriptEntries,
  ...pythonEntries,
  goEntry,
  javaEntry,
  phpEntry,
  csharpEntry,
  rustEntry,
  rubyEntry,
  componentEntry,
  jsonEntry,
  yamlEntry,
  tomlEntry,
  dotenvEntry,
  cssModuleEntry,
];

const byId = new Map(entries.map(({ language }) => [language.id, language]));
const byEnding = new Map<string, LanguageEntry[]>();
for (const entry of entries)
  for (const ending of entry.endings) byEnding.set(ending, [...(byEnding.get(ending) ?? []), entry]);
const byName = entries.filter(({ endings }) => endings.length === 0);

/** Every dialect once. */
export const dialects: readonly Dialect[] = [...new Set(entries.map(({ dialect }) => dialect))];

/** The language of a file; undefined when it is unknown. */
export function languageOf(path: string): Language | undefined {
  return entryOf(path)?.language;
}

export function languageWithId(id: string): Language | undefined {
  return byId.get(id);
}

/** What may be concluded from a file; undefined when its language is not read. */
export function dialectOf(path: string): Dialect | undefined {
  return entryOf(path)?.dialect;
}

/** The package that a file belongs to; null when its language has none. */
export function packageOf(path: string): string | null {
  return dialectOf(path)?.imports.packages
    ? packageIn(directoryOf(path), path.slice(path.lastIndexOf('.')))
    : null;
}

/** A file of a programming language that is read: not data, not plain text. */
export function isCode(path: string): boolean {
  return dialectOf(path)?.holds === 'code';
}

/** By path: it is asked for every reference that is followed. */
const known = new Map<string, LanguageEntry | null>();
/** A server reads many repositories. */
const mostKnown = 100_000;

function entryOf(path: string): LanguageEntry | undefined {
  if (known.size > mostKnown) known.clear();
  return remembered(known, path, () => findEntry(path) ?? null) ?? undefined;
}

/** Looks up the extension, and tests more only where that is ambiguous. */
function findEntry(path: string): LanguageEntry | undefined {
  const candidates = byEnding.get(path.slice(path.lastIndexOf('.')));
  if (!candidates) return isLockFile(path) ? undefined : byName.find((entry) => entry.reads?.(path));
  for (const entry of candidates) if (entry.reads === undefined || entry.reads(path)) return entry;
  return undefined;
}
