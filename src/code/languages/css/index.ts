import type { Definition, Facts } from '#code/facts/facts.ts';
import type { Language } from '#code/facts/language.ts';
import { data } from '#code/languages/data/dialect.ts';
import type { LanguageEntry } from '#code/languages/dialect.ts';
import { dataFacts, keyDefinition, wholeFile } from '#code/languages/shared/data-facts.ts';

/** Style sheets whose classes code imports as keys of an object. */
export const cssModule: Language = {
  id: 'css-module',
  version: 1,
  prepare: async () => {},
  extract: extractClasses,
};

function isCssModulePath(path: string): boolean {
  return /\.module\.(?:css|scss|sass|less|styl)$/.test(path);
}

export const cssModuleEntry: LanguageEntry = {
  language: cssModule,
  dialect: data,
  endings: [],
  reads: isCssModulePath,
};

/** Syntax that creates classes which no selector contains: suffixes of the parent, interpolation, mixins, other files. */
const makesClasses =
  /&[-_\w]|[#@$]\{|@(?:include|extend|each|for|while|if|import|use|forward|plugin)\b|^[^\S\n]*\+\w/m;

function extractClasses(source: string): Facts {
  const text = withoutNoise(source);
  const names = new Map<string, number>();
  let line = 1;
  for (const [part] of text.matchAll(/[^{};]*[{};]?/g)) {
    if (part.endsWith('{')) for (const name of classesIn(part)) if (!names.has(name)) names.set(name, line);
    const [, value] = /^\s*@value\s+([\w-]+)\s*:/.exec(part) ?? [];
    if (value !== undefined) names.set(value, line);
    line += part.split('\n').length - 1;
  }
  const isWhole = !makesClasses.test(text) && !/:export\b/.test(text);
  const whole: Definition = {
    ...keyDefinition(wholeFile, null, 1, true),
    // Bundlers may add exports to a module.
    members: isWhole ? { open: false, lent: true } : { open: true },
  };
  const keys = [...names].flatMap(([name, at]) =>
    spellings(name).map((key) => keyDefinition(key, wholeFile, at, false)),
  );
  return dataFacts([], null, [whole, ...keys]);
}

/** Bundlers can also offer `is-open` as `isOpen`. */
function spellings(name: string): string[] {
  const camel = name.replace(/(?<!-)-+(\w)/g, (_, letter: string) => letter.toUpperCase());
  return camel === name ? [name] : [name, camel];
}

function classesIn(selector: string): string[] {
  const local = selector.replace(/:global\s*\([^)]{0,500}\)|:global\b[^,{]*/g, '');
  return Array.from(
    local.matchAll(/\.(-?[A-Za-z_\u0080-\uffff][\w\u0080-\uffff-]*)/g),
    ([, name = '']) => name,
  );
}

/** Without comments, strings and URLs, on the same lines. */
function withoutNoise(text: string): string {
  const noise =
    /\/\*[\s\S]*?(?:\*\/|$)|(?<![:\w])\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|url\([^)]*(?:\)|$)/g;
  return text.replace(noise, (found) => found.replace(/[^\n]/g, ' '));
}
