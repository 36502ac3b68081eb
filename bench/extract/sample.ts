/** One sample of the extract part, in a process of its own: cold code, empty store. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { parseSync } from 'oxc-parser';
import { compileForShortRuns } from '../../src/cli/compiler.ts';
import { allSources } from '../corpora.ts';
import type { ExtractAnswer, ExtractRequest, Variant } from './index.ts';
import { readEveryName } from './read-names.ts';
import { contentsOf, type SourceFile, storeFacts } from './store-facts.ts';

process.once('message', async (request: ExtractRequest) => {
  const files = [...allSources()]
    .filter((_, index, all) => index % Math.max(1, Math.floor(all.length / request.files)) === 0)
    .slice(0, request.files)
    .map(([path, text]) => ({ path, text, blob: createHash('sha1').update(text).digest('hex') }));
  const work = await prepare(request.variant, files, request.store);
  const cpu = process.cpuUsage();
  const wall = performance.now();
  await work();
  const used = process.cpuUsage(cpu);
  const answer: ExtractAnswer = {
    cpuMs: (used.user + used.system) / 1000,
    wallMs: performance.now() - wall,
  };
  process.send?.(answer, () => process.disconnect());
});

async function prepare(
  variant: Variant,
  files: readonly SourceFile[],
  store: string,
): Promise<() => Promise<void>> {
  switch (variant) {
    case 'facts': {
      compileForShortRuns();
      const contents = contentsOf(files);
      return () => storeFacts(files, contents, join(store, 'facts.db'));
    }
    case 'facts-two-threads':
      return async () => {
        const halves = [files.filter((_, at) => at % 2 === 0), files.filter((_, at) => at % 2 === 1)];
        await Promise.all(halves.map((half) => inThread(half, join(store, 'facts.db'))));
      };
    case 'lazy':
      return async () => void readEveryName(files);
    case 'json':
      return async () => {
        for (const { path, text } of files) void parseSync(path, text, { astType: 'ts' }).program;
      };
  }
}

function inThread(files: readonly SourceFile[], store: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: { files, store } });
    worker.once('error', reject);
    worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`thread ended with ${code}`))));
  });
}
