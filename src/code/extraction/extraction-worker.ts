/** The second thread of a large extraction: answers each list of requests with a list of packed facts. */
import { parentPort } from 'node:worker_threads';
import { type Extraction, extractAll } from './extraction.ts';

parentPort?.on('message', async (requests: readonly Extraction[]) => {
  const packed = await extractAll(requests);
  const buffers = packed.flatMap((bytes) => (bytes === null ? [] : [bytes.buffer as ArrayBuffer]));
  parentPort?.postMessage(packed, buffers);
});
