/** The thread that judges work: it reads texts that somebody may have written to keep their reader busy. */
import { judgeWork } from '#grounding/judge/judge-work.ts';
import { serveThread } from '#lib/thread.ts';

serveThread(judgeWork);
