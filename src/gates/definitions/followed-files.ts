import { posix } from 'node:path';
import { escapePattern } from '#lib/escape-pattern.ts';
import { asObject } from '#lib/json-value.ts';
import { parseJson } from '#lib/parse-json.ts';
import { closing, maskCode } from '#tests/code/mask-code.ts';
import { pathsIn, scriptsIn, targetsIn } from './command-files.ts';

export interface CommitFiles {
  has(path: string): boolean;
  /** Texts of the files that were read. */
  readonly texts: ReadonlyMap<string, string>;
}

const makefile = /(^|\/)(GNUm|[mM])akefile$|(^|\/)[jJ]ustfile$/;
const runnerConfig =
  /(^|\/)((vitest|vite|jest|karma|playwright|cypress|wdio|ava|nightwatch)(\.[\w-]+)*\.config\.\w+|vitest\.workspace\.\w+|\.mocharc[^/]*|[tj]sconfig[^/]*\.json)$/;

/** Files to read in order to learn what gates run: manifests, build files and settings. */
export function isFollowed(path: string): boolean {
  return /(^|\/)package\.json$/.test(path) || makefile.test(path) || runnerConfig.test(path);
}

/** The gates of a project that defines none. */
const usual = ['npm test', 'npm run lint', 'npm run typecheck', 'make test'];

interface Step {
  readonly command: string;
  readonly folder: string;
}

/**
 * Files that decide what gates run without being in their commands: what scripts of package.json and targets of a Makefile
 * run, and what settings of runners and compilers load. Call it again once more texts are known.
 */
export function followedFiles(commands: readonly string[], files: CommitFiles): string[] {
  const named = new Set<string>();
  const taken = new Set<string>();
  const steps: Step[] = (commands.length > 0 ? commands : usual).map((command) => ({ command, folder: '.' }));
  const add = (more: readonly Step[]) => {
    for (const step of more) {
      const key = `${step.folder}\0${step.command}`;
      if (taken.has(key)) continue;
      taken.add(key);
      steps.push(step);
    }
  };
  for (const step of steps) {
    for (const path of pathsIn(step.command, step.folder)) {
      named.add(path);
      const text = files.texts.get(path);
      if (text !== undefined && isShell(path, text)) add([{ command: text, folder: step.folder }]);
    }
    add(scriptSteps(step, files));
    add(targetSteps(step, files));
  }
  for (const [path, text] of files.texts) for (const each of loadedBy(path, text, files)) named.add(each);
  return [...named].sort();
}

function isShell(path: string, text: string): boolean {
  return /\.(sh|bash|zsh)$/.test(path) || /^#!.*\b(ba|z|da)?sh\b/.test(text);
}

function scriptSteps({ command }: Step, { texts }: CommitFiles): Step[] {
  const isRun = scriptsIn(command);
  return [...texts].flatMap(([path, text]) => {
    if (!/(^|\/)package\.json$/.test(path)) return [];
    const { scripts } = asObject(parseJson(text));
    return Object.entries(asObject(scripts)).flatMap(([name, script]) =>
      typeof script === 'string' && isRun(name) ? [{ command: script, folder: posix.dirname(path) }] : [],
    );
  });
}

function targetSteps({ command, folder }: Step, { texts }: CommitFiles): Step[] {
  const targets = targetsIn(command);
  if (targets.length === 0) return [];
  const built = [...texts].filter(([path]) => makefile.test(path));
  return built.flatMap(([path, text]) =>
    targets.flatMap((target) => {
      const name = target === '' ? '[\\w-]+' : escapePattern(target);
      const rule = new RegExp(`^${name}\\b[^:=\\n]*:(?!=)([^\\n]*)((?:\\n[ \\t]+[^\\n]*)*)`, 'm').exec(text);
      if (!rule) return [];
      const [, needed = '', recipe = ''] = rule;
      const inside = folder === '.' ? posix.dirname(path) : folder;
      return [
        { command: recipe.replace(/^[^\S\n]*[@-]+/gm, ''), folder: inside },
        ...(/\w/.test(needed) ? [{ command: `make ${needed}`, folder: inside }] : []),
      ];
    }),
  );
}

/** Settings whose values are files that runners load, or base settings. */
const loading =
  /(?<![\w$])["']?(setupFiles\w*|globalSetup|globalTeardown|setupFile|supportFile|extends|preset|require|testRunner|runner|testEnvironment|environment|reporters?|resolver|snapshotSerializers|transform)["']?\s*[:=]\s*/g;
const loadingKeys = ['jest', 'mocha', 'ava', 'tap', 'vitest'];

function loadedBy(path: string, text: string, files: CommitFiles): string[] {
  if (/(^|\/)package\.json$/.test(path)) {
    const manifest = asObject(parseJson(text));
    const settings = JSON.stringify(loadingKeys.map((key) => manifest[key] ?? null));
    return existing(path, stringsAt(settings), files);
  }
  if (makefile.test(path)) {
    const included = [...text.matchAll(/^[-s]?include\s+(.+)$/gm)].flatMap(([, all = '']) =>
      all.split(/\s+/),
    );
    return existing(path, included, files);
  }
  if (/\.mocharc[^/]{0,100}\.ya?ml$/.test(path)) return existing(path, text.match(/[\w@./-]+/g) ?? [], files);
  if (!runnerConfig.test(path)) return [];
  const imported = [...text.matchAll(/\bfrom\s*["'](\.{1,2}\/[^"']+)["']|\brequire\(["'](\.[^"']+)["']\)/g)]
    .map(([, from, required]) => from ?? required ?? '')
    .filter((each) => !/(^|\/)vite\.config(\.\w+)?$/.test(each));
  const isBuild = /(^|\/)vite\.config\.\w+$/.test(path);
  return existing(path, [...stringsAt(text), ...(isBuild ? [] : imported)], files);
}

/** The strings in the values of such settings, also inside calls. */
function stringsAt(text: string): string[] {
  // JSON keys are strings too, so only comments are masked here.
  const shown = text.replace(/^[^\S\n]*\/\/.*$/gm, (line) => ' '.repeat(line.length));
  const masked = maskCode(shown, 'c');
  return [...shown.matchAll(loading)].flatMap(({ index, 0: head }) => {
    const from = index + head.length;
    const value = shown.slice(from, endOfValue(masked, from));
    return [...value.matchAll(/["'`]([^"'`\n]+)["'`]/g)].map(([, each = '']) => each);
  });
}

function endOfValue(masked: string, from: number): number {
  for (let at = from; at < masked.length; at++) {
    const character = masked[at] ?? '';
    if ('([{'.includes(character)) at = closing(masked, at) - 1;
    else if (',)]};\n'.includes(character)) return at;
  }
  return masked.length;
}

const endings = ['', '.ts', '.js', '.mjs', '.cjs', '.mts', '.tsx', '.json', '/index.ts', '/index.js'];

function existing(from: string, names: readonly string[], { has }: CommitFiles): string[] {
  return names.flatMap((name) => {
    const path = posix.join(posix.dirname(from), name.replace(/^<rootDir>\/?/, ''));
    return endings.map((ending) => path + ending).find(has) ?? [];
  });
}
