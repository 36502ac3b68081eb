import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { languageOf } from '#code/languages/index.ts';
import { type Sources, sourcesOf, unpackedDebian } from '../../corpora.ts';
import type { Random } from '../../random.ts';
import type { Ground } from '../operator.ts';

export interface GroundPlan {
  readonly package: string;
  readonly version: string;
  readonly language: 'typescript' | 'python';
  /** The Python package inside a Debian package. */
  readonly top?: string;
  /** Never looked at while rules were tuned. */
  readonly heldOut: boolean;
}

const typescript = (name: string, version: string, heldOut = false): GroundPlan => ({
  ...{ package: name, version, language: 'typescript', heldOut },
});
const python = (name: string, version: string, top: string, heldOut = false): GroundPlan => ({
  ...{ package: name, version, language: 'python', top, heldOut },
});

export const groundPlans: readonly GroundPlan[] = [
  typescript('@tanstack/query-core', '5.107.1'),
  typescript('mobx', '7.1.3'),
  typescript('rxjs', '7.8.2'),
  python('python3-mutagen', '1.46.0-1', 'mutagen'),
  python('python3-pygments', '2.14.0+dfsg-1', 'pygments'),
  python('python3-docutils', '0.19+dfsg-6', 'docutils'),
  typescript('msw', '2.15.0', true),
  typescript('@reduxjs/toolkit', '2.14.0', true),
  python('python3-markdown', '3.4.1-2+deb12u1', 'markdown', true),
  python('python3-tornado', '6.2.0-3+deb12u4', 'tornado', true),
];

/** A function of the project, as written there. */
export interface RealFunction {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly text: string;
}

/** Sources of a project, with the words and functions that seeded conflicts are built from. */
export interface CoherenceGround extends Ground {
  readonly language: GroundPlan['language'];
  readonly functions: readonly RealFunction[];
  /** Words of the project's own names. */
  readonly words: readonly string[];
}

/** Enough for a project, few enough to check it hundreds of times. */
const mostFiles = 15;

export async function openGround(plan: GroundPlan): Promise<CoherenceGround> {
  const all = [...(plan.language === 'python' ? pythonSources(plan) : typescriptSources(plan))];
  for (const [path] of all.slice(0, 1)) await languageOf(path)?.prepare();
  const files = new Map(all.slice(0, mostFiles));
  const ending = plan.language === 'python' ? 'py' : 'ts';
  return {
    name: plan.package,
    language: plan.language,
    files,
    settings: new Map(),
    bystander: new Map([
      [`joinery_bystander.${ending}`, ending === 'py' ? 'bystander = 1\n' : 'export const bystander = 1;\n'],
    ]),
    functions: all.flatMap(([path, text]) => functionsIn(path, text)),
    words: wordsIn([...files.values()]),
  };
}

function typescriptSources({ package: name, version }: GroundPlan): Sources {
  const isOwn = (path: string) =>
    /(^|\/)src\/.*\.ts$/.test(path) && !/(^|\/)(tests?|__tests__)\/|\.(test|spec)\./.test(path);
  return new Map([...sourcesOf(name, version)].filter(([path]) => isOwn(path)));
}

function pythonSources({ package: name, version, top = '' }: GroundPlan): Sources {
  const folder = join(unpackedDebian(name, version), 'usr/lib/python3/dist-packages');
  const paths = readdirSync(join(folder, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !/(^|\/)(tests?|lexers)\//.test(path))
    .toSorted();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const));
}

function functionsIn(path: string, text: string): RealFunction[] {
  const lines = text.split('\n');
  const { definitions = [] } = languageOf(path)?.extract(text) ?? {};
  return definitions.flatMap(({ name, container, kind, line, endLine, signature, overload, decorators }) => {
    const own = lines.slice(line - 1, endLine).join('\n');
    const isPlain = new RegExp(`^(?:export )?(?:function|def) ${name}\\(`).test(own);
    const size = endLine - line + 1;
    if (container !== null || kind !== 'function' || overload || decorators.length > 0) return [];
    if (!isPlain || size < 6 || size > 45 || !signature) return [];
    const parameters = signature.parameters.map((each) => each.name);
    return [{ name, parameters, text: own.replace(/^export /, '') }];
  });
}

function wordsIn(texts: readonly string[]): string[] {
  const words = texts
    .join('\n')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/\b[a-z]{5,9}\b/g);
  const usual =
    /^(const|return|export|import|function|string|number|class|interface|undefined|false|break|while|raise|except|finally|print|other|index|value|result|typeof|default|extends|public|private|readonly|static|async|await|yield|global|lambda|super|these|their|there|which|should|would|could|about|after|before)$/;
  return [...new Set(words ?? [])].filter((word) => !usual.test(word)).sort();
}

/** Three different words of the project. */
export function drawWords({ words }: CoherenceGround, random: Random): [string, string, string] {
  const [a = 'alpha', b = 'bravo', c = 'candle'] = random.shuffled(words);
  return [a, b, c];
}
