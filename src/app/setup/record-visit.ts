import { relative } from 'node:path';
import type { Readable } from 'node:stream';
import { appendVisit } from '#app/visitors/spool.ts';
import { rememberRepository } from '#app/workplace/remember-repository.ts';
import { stateOf } from '#app/workplace/state-of.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { openRepository } from '#git/call/repository.ts';
import { at } from '#lib/json-value.ts';
import type { Visit } from '#schema/hooks-report.ts';

const maxBytes = 4 * 1024 * 1024;

/**
 * Appends an agent's report to the spool of its repository. A hook must never disturb the agent, so a report that cannot
 * be read or comes from elsewhere is dropped. Agents that Joinery started are already in the journal.
 */
export async function recordVisit(
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
  agent: string,
  input: Readable,
): Promise<void> {
  if (env.JOINERY_ATTEMPT !== undefined) return;
  try {
    const report: unknown = JSON.parse(await readAll(input));
    const folder = text(report, 'cwd') ?? cwd;
    const repository = await openRepository(folder);
    const visit = visitOf(report, agent, folder, repository.workTree);
    if (!visit) return;
    const state = stateOf(env, repository.commonDir);
    appendVisit(state, visit);
    rememberRepository(state, repository);
  } catch {
    // The agent continues without it.
  }
}

function visitOf(report: unknown, agent: string, folder: string, workTree: string | null): Visit | null {
  const session = text(report, 'session_id');
  const moment = text(report, 'hook_event_name');
  if (session === null || moment === null) return null;
  const path = text(at(report, 'tool_input'), 'file_path');
  const file = path === null || workTree === null ? null : relative(workTree, path);
  return {
    at: new Date().toISOString(),
    agent,
    session: session.slice(0, 100),
    moment: moment.slice(0, 100),
    tool: text(report, 'tool_name')?.slice(0, 100) ?? null,
    file: file === null || file.startsWith('..') ? null : file.slice(0, 300),
    folder,
  };
}

function text(value: unknown, key: string): string | null {
  const found = at(value, key);
  return typeof found === 'string' ? found : null;
}

async function readAll(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += (chunk as Buffer).length;
    if (size > maxBytes) throw new Error('the report is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
