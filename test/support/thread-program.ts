/** A thread for tests: says which thread it is, fails, or never answers. */
import { threadId } from 'node:worker_threads';
import { serveThread } from '#lib/thread.ts';

serveThread(async (order: 'answer' | 'fail' | 'hang') => {
  if (order === 'fail') throw Object.assign(new Error('no'), { code: 'E_NO' });
  while (order === 'hang');
  return threadId;
});
