/** The thread that examines branches: it parses and links untrusted code, and can be ended at any time. */
import { examineRequest } from '#check/examine/examine-request.ts';
import { serveThread } from '#lib/thread.ts';

serveThread(examineRequest);
