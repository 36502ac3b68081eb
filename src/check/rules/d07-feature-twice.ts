import { directoryOf } from '#code/resolve/repository-path.ts';
import { type Clone, clonesOf } from './clones/clones.ts';
import type { Rule } from './rule.ts';
import { meetings, type Sighting, type Survey, type SurveyedBranch } from './survey/survey.ts';

export const featureTwice = {
  id: 'D07',
  name: 'feature-twice',
  category: 'duplicate',
  severity: 'minor',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.85,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'Two branches each build the same thing: they add files of the same name in different folders that define the same names, or three or more functions that are the same.',
  example: { a: ['+ src/cache/lru.ts: class LruCache'], b: ['+ src/lib/lru-cache.ts: class LruCache'] },
  move: 'Keep one of the two, and let the other branch use it.',
  proof: ['possible'],
  owner: 'either',
  givesWay: true,
  detect: { survey: builtTwice },
} satisfies Rule;

const fewestClones = 3;

async function builtTwice(survey: Survey): Promise<Sighting[]> {
  return [...(await manyClones(survey)), ...(await sameFiles(survey))];
}

async function manyClones(survey: Survey): Promise<Sighting[]> {
  const clones = await clonesOf(survey);
  const byPair = Map.groupBy(clones, ({ first, second }) => `${first.file}\0${second.file}`);
  return [...byPair.values()].flatMap((group) => {
    const [clone] = group;
    return group.length < fewestClones || !clone ? [] : [sighted(clone, group)];
  });
}

function sighted({ first, second }: Clone, group: readonly Clone[]): Sighting {
  const names = group.map((clone) => clone.second.name).join(', ');
  return {
    key: `${first.file} ${second.file}`,
    provider: first,
    sites: [second],
    subject: second.file,
    confidence: 'possible',
    message: `${first.side.ref} builds in ${first.file} what ${second.side.ref} builds in ${second.file}: ${names}`,
    suggestion: `keep one of ${first.file} and ${second.file}`,
  };
}

interface NewFile {
  readonly side: SurveyedBranch;
  readonly file: string;
  readonly names: readonly string[];
}

/** Common file names. */
const usual =
  /^(index|types?|utils?|helpers?|constants?|main|mod|init|config|setup|models?|schema|views?|urls|routes?|page|layout|app|server|client|common|base|core|errors?|admin|apps|tests?|service|controller|module|component|styles?)$/;

async function sameFiles(survey: Survey): Promise<Sighting[]> {
  const files: NewFile[] = [];
  for (const side of survey.sides) {
    const isAdded = new Set(side.changes.flatMap(({ path, status }) => (status === 'added' ? [path] : [])));
    for (const [file, { code }] of await side.news())
      if (isAdded.has(file) && code && code.names.length > 0) files.push({ side, file, names: code.names });
  }
  const byWord = new Map<string, NewFile[]>();
  for (const file of files)
    for (const word of wordsOf(file.file)) byWord.set(word, [...(byWord.get(word) ?? []), file]);
  const met = [...byWord.values()]
    .flatMap((group) => meetings(survey, group))
    .filter(([first, second]) => directoryOf(first.file) !== directoryOf(second.file))
    .map(([first, second]) => ({
      first,
      second,
      shared: first.names.filter((name) => second.names.includes(name)),
    }))
    .filter(
      ({ first, second, shared }) =>
        shared.length > 0 && shared.length >= Math.min(2, first.names.length, second.names.length),
    );
  const usedBefore = await survey.holders(
    survey.from,
    met.flatMap(({ shared }) => shared),
  );
  const found = new Map<string, Sighting>();
  for (const { first, second, shared } of met) {
    if (shared.some((name) => usedBefore.has(name))) continue;
    const key = [first.file, second.file].sort().join(' ');
    found.set(key, {
      key,
      provider: { ...first, line: 1, name: shared[0] ?? '' },
      sites: [{ ...second, line: 1, name: shared[0] ?? '' }],
      subject: second.file,
      confidence: 'possible',
      message: `${first.side.ref} builds in ${first.file} what ${second.side.ref} builds in ${second.file}: ${shared.slice(0, 3).join(', ')}`,
      suggestion: `keep one of ${first.file} and ${second.file}`,
    });
  }
  return [...found.values()];
}

/** The words in the name of a file: `lru`, `cache` for `src/lib/lru-cache.ts`. */
function wordsOf(path: string): string[] {
  const stem = (path.split('/').at(-1) ?? '').replace(/\..*$/, '');
  return stem
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length >= 3 && !usual.test(word));
}
