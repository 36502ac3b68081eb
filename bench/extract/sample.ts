/** One sample of the extract part, in a separate process, with an empty store. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { compileForShortRuns } from '#lib/compiler.ts';
import { useOf } from '#process/process-use.ts';
import { allSources } from '../corpora.ts';
import type { ExtractAnswer, ExtractRequest, Variant } from './index.ts';
import { readEveryName } from './read-names.ts';
import { contentsOf, type SourceFile, storeFacts } from './store-facts.ts';

process.once('message', async (request: ExtractRequest) => {
  const files = Array.from(allSources(), ([path, text]) => ({
    path,
    text,
    blob: createHash('sha1').update(text).digest('hex'),
  }));
  const work = await prepare(request.variant, files, request.store);
  const cpu = process.cpuUsage();
  const wall = performance.now();
  await work();
  const used = process.cpuUsage(cpu);
  const answer: ExtractAnswer = {
    cpuMs: (used.user + used.system) / 1000 + childrenCpuMs(),
    wallMs: performance.now() - wall,
  };
  process.send?.(answer, () => process.disconnect());
});

/** Of the processes that parse, which still run. */
function childrenCpuMs(): number {
  const pids = globSync('/proc/self/task/*/children').flatMap((file) =>
    readFileSync(file, 'utf8').split(' '),
  );
  return pids.filter((pid) => pid !== '').reduce((sum, pid) => sum + (useOf(Number(pid))?.cpuMs ?? 0), 0);
}

async function prepare(
  variant: Variant,
  files: readonly SourceFile[],
  store: string,
): Promise<() => Promise<void>> {
  switch (variant) {
    case 'facts':
    case 'facts-two-processes': {
      compileForShortRuns();
      const contents = contentsOf(files);
      const processes = variant === 'facts' ? 1 : 2;
      return () => storeFacts(files, contents, join(store, 'facts.db'), processes);
    }
    // Each peer runs with the compiler setting that is faster for it: ours saves the lazy visitor a tenth…
    case 'lazy':
      compileForShortRuns();
      return async () => void readEveryName(files);
    // …and does not make JSON faster, possibly slower: Node's defaults.
    case 'json':
      return async () => {
        for (const { path, text } of files) void parseSync(path, text, { astType: 'ts' }).program;
      };
  }
}
