import { workerData } from 'node:worker_threads';
import { contentsOf, type SourceFile, storeFacts } from './store-facts.ts';

const { files, store } = workerData as { files: readonly SourceFile[]; store: string };
await storeFacts(files, contentsOf(files), store);
