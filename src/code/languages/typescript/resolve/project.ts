import { childOf, directoryOf, within } from '#code/resolve/repository-path.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';
import { compileGlobs } from '#lib/glob.ts';
import type { Aliases } from './aliases.ts';
import type { Output } from './build-output.ts';
import { type ConfigText, readConfig } from './config-text.ts';
import { locateExtended } from './extended-config.ts';
import type { Workspaces } from './workspaces.ts';

/** A tsconfig.json or jsconfig.json with everything it extends: it decides how its files import. */
export interface Project {
  /** Path of the config, `''` for files that no config covers. */
  readonly path: string;
  /** Why aliases may exist that are not listed. */
  readonly unreadable: string | null;
  readonly aliases: Aliases | undefined;
  readonly baseUrl: string | undefined;
  readonly rootDirs: readonly string[];
  readonly outputs: readonly Output[];
  readonly conditions: readonly string[];
  /** Optional text between the name of a module and its extension: `.ios`. */
  readonly moduleSuffixes: readonly string[];
  readonly references: readonly string[];
  /** Path of an alias's target, undefined when it leaves the repository. */
  placeAlias(target: string): string | undefined;
  covers(path: string): boolean;
}

/** A value with the folder its relative paths start from. */
interface Placed<T> {
  readonly value: T;
  readonly from: string;
}

type Setting = Exclude<keyof ConfigText, 'extends' | 'references'>;
type Settings = { [K in Setting]?: Placed<NonNullable<ConfigText[K]>> };

const knownSettings: readonly Setting[] = [
  'baseUrl',
  'aliases',
  'rootDirs',
  'rootDir',
  'outDir',
  'declarationDir',
  'customConditions',
  'moduleSuffixes',
  'files',
  'include',
  'exclude',
];

/** Configs read for one project, repetitions counted: a diamond of arrays doubles at every level. */
const mostExtended = 500;
const configDirectoryVariable = '${configDir}';

/** For files that no config covers. */
export const noProject: Project = {
  path: '',
  unreadable: null,
  aliases: undefined,
  baseUrl: undefined,
  rootDirs: [],
  outputs: [],
  conditions: [],
  moduleSuffixes: [],
  references: [],
  placeAlias: () => undefined,
  covers: () => true,
};

export function referencePaths(tree: Tree, path: string, config: ConfigText): string[] {
  return config.references.flatMap((reference) => {
    const target = within(directoryOf(path), reference);
    if (target === undefined) return [];
    const file = tree.blob(target) === undefined ? childOf(target, 'tsconfig.json') : target;
    return tree.blob(file) === undefined ? [] : [file];
  });
}

export function buildProject(
  tree: Tree,
  documents: Documents,
  workspaces: Workspaces,
  path: string,
): Project {
  const settings: Settings = {};
  const read = { count: 0, unreadable: null as string | null };

  function apply(config: string, stack: readonly string[]): void {
    read.count += 1;
    const reading = readConfig(tree, documents, config);
    if (reading.status !== 'read' || read.count > mostExtended) {
      read.unreadable ??= `${config} cannot be read`;
      return;
    }
    for (const specifier of reading.value.extends) {
      const extended = locateExtended(tree, documents, workspaces, config, specifier);
      if (extended.status === 'absent')
        read.unreadable ??= `${config} extends ${specifier}, which is not in the tree`;
      // A cycle adds nothing new.
      else if (extended.status === 'located' && !stack.includes(extended.path) && read.count <= mostExtended)
        apply(extended.path, [...stack, extended.path]);
    }
    override(settings, reading.value, directoryOf(config));
  }

  apply(path, [path]);
  const own = readConfig(tree, documents, path);
  const references = own.status === 'read' ? referencePaths(tree, path, own.value) : [];
  return assemble(path, settings, references, read.unreadable);
}

function override(settings: Settings, config: ConfigText, from: string): void {
  for (const name of knownSettings) {
    const value = config[name];
    if (value !== undefined) Object.assign(settings, { [name]: { value, from } });
  }
}

function assemble(
  path: string,
  settings: Settings,
  references: readonly string[],
  unreadable: string | null,
): Project {
  const directory = directoryOf(path);
  const place = (text: string, from: string) => placePath(text, from, directory);
  const placed = ({ value, from }: Placed<string>) => place(value, from);
  const baseUrl = settings.baseUrl && placed(settings.baseUrl);
  const rootDir = settings.rootDir && placed(settings.rootDir);
  const aliasBase = settings.baseUrl ? baseUrl : settings.aliases?.from;
  return {
    path,
    unreadable,
    aliases: settings.aliases?.value,
    baseUrl,
    rootDirs: placedList(settings.rootDirs, place),
    outputs: [settings.outDir, settings.declarationDir].flatMap((setting) => {
      const out = setting && placed(setting);
      if (out === undefined || out === directory) return [];
      return [{ out, roots: rootDir === undefined ? [childOf(directory, 'src'), directory] : [rootDir] }];
    }),
    conditions: settings.customConditions?.value ?? [],
    moduleSuffixes: settings.moduleSuffixes?.value ?? [],
    references,
    placeAlias: (target) => (aliasBase === undefined ? undefined : place(target, aliasBase)),
    covers: coverage(directory, settings, place),
  };
}

type Place = (text: string, from: string) => string | undefined;

function placePath(text: string, from: string, configDirectory: string): string | undefined {
  return text.startsWith(configDirectoryVariable)
    ? within(configDirectory, `.${text.slice(configDirectoryVariable.length)}`)
    : within(from, text);
}

function placedList(list: Placed<readonly string[]> | undefined, place: Place): string[] {
  return list?.value.flatMap((text) => place(text, list.from) ?? []) ?? [];
}

/** Whether `files`, `include` and `exclude` cover a path; without any of them everything below the config is covered. */
function coverage(directory: string, settings: Settings, place: Place): (path: string) => boolean {
  const files = new Set(placedList(settings.files, place));
  const hasFilesOnly = settings.files !== undefined && settings.include === undefined;
  const included = hasFilesOnly ? [] : settings.include ? placedList(settings.include, place) : [directory];
  let matches: ((path: string) => boolean) | undefined;
  return (path) => {
    if (files.has(path)) return true;
    matches ??= compileCoverage(included, placedList(settings.exclude, place));
    return matches(path);
  };
}

function compileCoverage(
  included: readonly string[],
  excluded: readonly string[],
): (path: string) => boolean {
  const folders = [...included, ...excluded.map((pattern) => `!${pattern}`)];
  try {
    // A pattern without a wildcard in its last part may name a folder, which includes everything below it.
    return compileGlobs(folders.flatMap((pattern) => [pattern, `${pattern}/**`]));
  } catch {
    return () => false;
  }
}
