import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '#scripts/root.ts';
import { linked } from '../built.ts';
import { allSources } from '../corpora.ts';
import { interleave, medianCpu } from '../measure.ts';
import type { BenchOptions, Part } from '../part.ts';
import { judge, median, percent, renderTable, seconds } from '../table.ts';

export type Variant = 'facts' | 'facts-two-processes' | 'lazy' | 'json';

/** The task of a worker process; it answers with the CPU time between reading the files and the end. */
export interface ExtractRequest {
  readonly variant: Variant;
  readonly store: string;
}

export interface ExtractAnswer {
  readonly cpuMs: number;
  readonly wallMs: number;
}

const labels: Readonly<Record<Variant, string>> = {
  facts: 'facts, written to the store',
  'facts-two-processes': 'facts, written to the store, two processes',
  lazy: '(a) oxc lazy, a visitor that reads every name',
  json: '(b) oxc JSON AST, parse alone',
};

const variants = Object.keys(labels) as Variant[];

export const extract: Part = {
  name: 'extract',
  summary: 'fact extraction with store write, one process, against oxc',
  run: runExtract,
};

async function runExtract({ full }: BenchOptions): Promise<string> {
  const files = allSources().size;
  const program = await linked(
    join(root, 'bench/extract/sample.ts'),
    join(root, 'src/code/extraction/parser-program.ts'),
  );
  // The first run of each leaves its compiled code in Node's cache, like a user's first command.
  for (const variant of variants) await inOwnProcess(program, variant);
  const samples = await interleave(full ? 15 : 5, {
    facts: () => inOwnProcess(program, 'facts'),
    lazy: () => inOwnProcess(program, 'lazy'),
    json: () => inOwnProcess(program, 'json'),
    'facts-two-processes': () => inOwnProcess(program, 'facts-two-processes'),
  });
  const own = medianCpu(samples.facts);
  const ofLazy = medianCpu(samples.lazy) / own;
  const ofJson = medianCpu(samples.json) / own;
  const rows = variants.map((variant) => [
    labels[variant],
    seconds(medianCpu(samples[variant])),
    seconds(median(samples[variant].map(({ wallMs }) => wallMs))),
    String(Math.round(files / (medianCpu(samples[variant]) / 1000))),
  ]);
  return [
    `${files} files; each sample in a process of its own, linked as it is published, compiled once before;`,
    'files are read before the clock starts',
    renderTable(['', 'CPU', 'wall', 'files per CPU-s'], rows),
    '',
    renderTable(
      ['limit', 'measured', 'verdict'],
      [
        ['speed against (a): at least 35 %', percent(ofLazy), judge(ofLazy >= 0.35)],
        ['speed against (b): at least 2 ×', `${ofJson.toFixed(2)} ×`, judge(ofJson >= 2)],
      ],
    ),
  ].join('\n');
}

async function inOwnProcess(program: string, variant: Variant): Promise<ExtractAnswer> {
  const store = mkdtempSync(join(tmpdir(), 'joinery-extract-'));
  try {
    return await new Promise<ExtractAnswer>((resolve, reject) => {
      const compiled = join(dirname(program), 'compiled');
      const child = fork(program, { env: { ...process.env, NODE_COMPILE_CACHE: compiled } });
      let answer: ExtractAnswer | null = null;
      child.once('message', (message) => {
        answer = message as ExtractAnswer;
      });
      child.once('error', reject);
      child.once('close', (code) =>
        answer ? resolve(answer) : reject(new Error(`${variant}: exit ${code}`)),
      );
      child.send({ variant, store } satisfies ExtractRequest);
    });
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
}
