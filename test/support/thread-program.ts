/** A thread for tests: returns its id, fails, or never answers. */
import { threadId } from 'node:worker_threads';
import { serveThread } from '#lib/thread.ts';

serveThread(async (order: 'answer' | 'fail' | 'hang') => {
  if (order === 'fail') throw Object.assign(new Error('no'), { code: 'E_NO' });
  while (order === 'hang');
  return threadId;
});
