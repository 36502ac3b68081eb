/** The thread that judges work: a hostile text may try to keep its reader busy forever. */
import { judgeWork } from '#grounding/judge/judge-work.ts';
import { serveThread } from '#lib/thread.ts';

serveThread(judgeWork);
