import { clonesOf } from '#check/rules/clones/clones.ts';
import { newLines } from '#check/rules/survey/changed-text.ts';
import { readCode } from '#check/rules/survey/code-pieces.ts';
import type { FileNews } from '#check/rules/survey/readings.ts';
import type { Survey, SurveyedBranch } from '#check/rules/survey/survey.ts';
import { languageOf } from '#code/languages/index.ts';
import { GitTree } from '#git/trees/tree.ts';
import { corpora, sourcesOf } from './corpora.ts';
import type { BenchOptions, Part } from './part.ts';
import { judge, median, renderTable } from './table.ts';

export const duplicates: Part = {
  name: 'duplicates',
  summary: 'D01 and D02 over 100 branches, by the amount of code they add',
  run: runDuplicates,
};

const branches = 100;
/** Files that each branch adds. One in ten is a copy of a file of the previous branch, with other local names. */
const sizes = [3, 6, 12, 24] as const;
const copyEvery = 10;
/** Twice the code may take twice the time times this factor, because times vary. */
const slack = 1.15;
const packages = new Set(['effect', 'viem', 'openai', 'puppeteer-core', 'ethers']);

interface Added {
  readonly path: string;
  readonly text: string;
}

async function runDuplicates({ full }: BenchOptions): Promise<string> {
  const files = await realFiles(branches * Math.max(...sizes));
  const costs = sizes.map((each) => ({
    each,
    lines: 0,
    clones: 0,
    reading: [] as number[],
    comparing: [] as number[],
  }));
  for (let round = 0; round < (full ? 9 : 3); round++)
    for (const cost of costs) {
      const load = files.slice(0, branches * cost.each);
      const { news, ms: reading } = timed(() => load.map(({ path, text }) => newsOf(path, text)));
      const survey = surveyOf(load, news);
      const before = process.cpuUsage();
      const clones = await clonesOf(survey);
      cost.comparing.push(msSince(before));
      cost.reading.push(reading);
      cost.clones = clones.length;
      cost.lines = load.reduce((sum, { text }) => sum + text.split('\n').length, 0);
    }
  return [
    `${branches} branches that add real files; CPU of what D01 and D02 read and compare, in one process`,
    renderTable(
      ['lines added', 'clones told', 'reading', 'comparing', 'growth', 'linear would be', 'verdict'],
      costs.map(({ lines, clones, reading, comparing }, at) => {
        const before = costs[at - 1];
        const total = median(reading) + median(comparing);
        const grown = before && total / (median(before.reading) + median(before.comparing));
        const linear = before && lines / before.lines;
        return [
          String(lines),
          String(clones),
          `${median(reading).toFixed(0)} ms`,
          `${median(comparing).toFixed(0)} ms`,
          grown ? `${grown.toFixed(2)} ×` : '',
          linear ? `${linear.toFixed(2)} ×` : '',
          grown && linear ? judge(grown <= linear * slack) : '',
        ];
      }),
    ),
  ].join('\n');
}

/** Sources of packages in turn, a tenth of them twice. */
async function realFiles(count: number): Promise<Added[]> {
  const queues = corpora
    .filter((corpus) => packages.has(corpus.package))
    .map(({ package: name, version }) =>
      [...sourcesOf(name, version)].filter(([path]) => path.endsWith('.ts') && !path.endsWith('.d.ts')),
    );
  await languageOf('a.ts')?.prepare();
  const found: Added[] = [];
  for (let at = 0; found.length < count && queues.some((queue) => queue.length > at); at++)
    for (const queue of queues) {
      const [path, text] = queue[at] ?? [];
      if (path === undefined || text === undefined) continue;
      found.push({ path: `added/${found.length}/${path}`, text });
      if (found.length % copyEvery === copyEvery - 1)
        found.push({ path: `copied/${found.length}/${path}`, text: withOtherNames(text) });
    }
  if (found.length < count) throw new Error(`the packages hold ${found.length} files, not ${count}`);
  return found.slice(0, count);
}

function withOtherNames(text: string): string {
  return text.replace(/\bconst ([a-z]\w*) =/g, 'const $1_2 =');
}

function newsOf(path: string, text: string): FileNews {
  const factsAfter = languageOf(path)?.extract(text);
  const change = {
    path,
    oldPath: path,
    isNew: true,
    isGone: false,
    before: '',
    after: text,
    gone: [],
    differing: text,
  };
  const code = readCode({ ...change, added: newLines('', text), factsBefore: undefined, factsAfter });
  return code === undefined ? {} : { code };
}

function timed(work: () => FileNews[]): { news: FileNews[]; ms: number } {
  const before = process.cpuUsage();
  const news = work();
  return { news, ms: msSince(before) };
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Distributes the files among the branches one by one. */
function surveyOf(load: readonly Added[], news: readonly FileNews[]): Survey {
  const tree = GitTree.of('tree', '');
  const own = Array.from({ length: branches }, () => new Map<string, FileNews>());
  for (const [at, { path }] of load.entries()) own[at % branches]?.set(path, news[at] ?? {});
  const unasked = async () => {
    throw new Error('nobody has to ask');
  };
  const sides = own.map(
    (files, at): SurveyedBranch => ({
      ref: `work/${at}`,
      isBase: false,
      tree,
      changes: [],
      news: async () => files,
      member: unasked,
    }),
  );
  return {
    ...{ sides, from: tree, union: tree, isApart: () => true },
    read: async () => null,
    data: async () => null,
    holding: async () => [],
    holders: async () => new Map(),
    isHeldBeside: async () => false,
  };
}
