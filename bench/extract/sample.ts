/** One sample of the extract part, in a separate process, with an empty store. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { compileForShortRuns } from '#lib/compiler.ts';
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
    case 'facts':
    case 'facts-two-threads': {
      compileForShortRuns();
      const contents = contentsOf(files);
      const threads = variant === 'facts' ? 1 : 2;
      return () => storeFacts(files, contents, join(store, 'facts.db'), threads);
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
