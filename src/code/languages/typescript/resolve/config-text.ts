import { type ParseError, parse } from 'jsonc-parser';
import { documentReader } from '#code/resolve/document-reader.ts';
import { asObject, asString, asStrings, at } from '#lib/json-value.ts';
import { type Aliases, compileAliases } from './aliases.ts';

/** The content of one tsconfig.json or jsconfig.json, paths as written. */
export interface ConfigText {
  readonly extends: readonly string[];
  readonly references: readonly string[];
  readonly baseUrl: string | undefined;
  readonly aliases: Aliases | undefined;
  readonly rootDirs: readonly string[] | undefined;
  readonly rootDir: string | undefined;
  readonly outDir: string | undefined;
  readonly declarationDir: string | undefined;
  readonly customConditions: readonly string[] | undefined;
  readonly moduleSuffixes: readonly string[] | undefined;
  readonly files: readonly string[] | undefined;
  readonly include: readonly string[] | undefined;
  readonly exclude: readonly string[] | undefined;
}

const longest = 4_000_000;

export const readConfig = documentReader((text): ConfigText => {
  const errors: ParseError[] = [];
  const config: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0) throw new Error('not JSON with comments');
  const options = at(config, 'compilerOptions');
  const paths = at(options, 'paths');
  const bases = at(config, 'extends');
  return {
    extends: typeof bases === 'string' ? [bases] : (asStrings(bases) ?? []),
    references: referencesOf(at(config, 'references')),
    baseUrl: asString(at(options, 'baseUrl')),
    aliases: paths === undefined ? undefined : compileAliases(asObject(paths)),
    rootDirs: asStrings(at(options, 'rootDirs')),
    rootDir: asString(at(options, 'rootDir')),
    outDir: asString(at(options, 'outDir')),
    declarationDir: asString(at(options, 'declarationDir')),
    customConditions: asStrings(at(options, 'customConditions')),
    moduleSuffixes: asStrings(at(options, 'moduleSuffixes')),
    files: asStrings(at(config, 'files')),
    include: asStrings(at(config, 'include')),
    exclude: asStrings(at(config, 'exclude')),
  };
}, longest);

function referencesOf(references: unknown): string[] {
  return Array.isArray(references) ? references.flatMap((entry) => asString(at(entry, 'path')) ?? []) : [];
}
