import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { judgedFolder } from '#agents/desk.ts';
import type { Prompt } from '#agents/prompt/fit-sections.ts';
import { readRoles, roleText } from '#agents/prompt/roles.ts';
import { openConsultant } from '#app/planning/consult-agent.ts';
import { conflictMarker } from '#git/merges/unions.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { treeWithChanges } from '#git/trees/pick-changes.ts';
import { type Change, GitTree } from '#git/trees/tree.ts';
import { checkOutPlain } from '#git/worktrees/plain-checkout.ts';
import type { Resolution, TextConflict } from '#integrate/merge/merge-branches.ts';
import type { Consultation } from '#schema/planning.ts';
import type { Scenario } from '#schema/scenario.ts';
import type { IntegrationRoom } from './integration-room.ts';
import { integratorPrompt } from './integrator-prompt.ts';

export interface IntegratorWish {
  readonly agent: string;
  readonly scenario: Scenario | null;
  readonly signal: AbortSignal;
  /** Number within one integration. */
  readonly n: number;
  /** Prompts are read from this commit: an agent must not write its own. */
  readonly base: string;
}

/** Other conflicts concern names and kinds of files, which no text can resolve. */
const ofText = /^CONFLICT \((content|add\/add|modify\/delete)\)/;

/** Asks an integrator to resolve a text conflict in a separate folder. Changes to other files are ignored. */
export async function resolveConflict(
  room: IntegrationRoom,
  { head, tip, merge }: TextConflict,
  wish: IntegratorWish,
): Promise<{ resolution: Resolution; consultation: Consultation | null }> {
  const { repository, git, scratch, config, env, state } = room;
  const unresolved = (reason: string, consultation: Consultation | null = null) => ({
    resolution: { status: 'unresolved' as const, reason },
    consultation,
  });
  if (!merge.messages.every((message) => ofText.test(message)))
    return unresolved('only conflicts of text are given to an integrator');
  const roles = await readRoles((paths) => readFilesAt(repository.git, wish.base, paths));
  const role = roles.find(({ name }) => name === 'integrator') ?? roleText('integrator');
  const consultant = openConsultant({
    repository,
    config,
    env,
    folder: join(state, 'scratch'),
    agent: wish.agent,
    agentOf: () => wish.agent,
    scenario: wish.scenario,
    tree: merge.tree,
    signal: wish.signal,
    report() {},
  });
  try {
    const folder = join(scratch.dir, `conflict-${wish.n}`, judgedFolder);
    const place = await checkOutPlain(scratch, merge.tree, folder);
    const prompt = await promptFor(room, role.text, { head, tip, merge });
    const reply = await consultant.work({ role: 'integrator', n: wish.n, prompt, tier: 'strong' }, place);
    const { outcome, reason, consultation } = reply;
    if (outcome !== 'ok')
      return unresolved(
        `the integrator gave up: ${outcome}${reason === '' ? '' : `, ${reason}`}`,
        consultation,
      );
    const before = await GitTree.read(git, merge.tree);
    const changes: Change[] = [];
    for (const path of merge.paths) {
      const text = textAt(realpathSync(folder), path);
      if (text && conflictMarker.test(text.toString('latin1')))
        return unresolved(`the integrator left conflict markers in ${path}`, consultation);
      const entry = before.entry(path) ?? null;
      const id = text && (await git.text(['hash-object', '-w', '--no-filters', '--stdin'], { input: text }));
      const after = id === null ? null : { kind: 'file' as const, mode: entry?.mode ?? '100644', id };
      changes.push({ status: after ? 'modified' : 'deleted', path, oldPath: null, before: entry, after });
    }
    const index = join(scratch.dir, `index-conflict-${wish.n}`);
    const tree = await treeWithChanges(git, index, merge.tree, changes);
    return { resolution: { status: 'resolved', tree }, consultation };
  } finally {
    await consultant.close();
  }
}

/** The bytes of a file that an agent wrote; null when it deleted the file. Links are not followed. */
function textAt(folder: string, path: string): Buffer | null {
  const file = join(folder, path);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || realpathSync(dirname(file)) !== dirname(file)) return null;
  return readFileSync(file);
}

async function promptFor(
  { git }: IntegrationRoom,
  role: string,
  { head, tip, merge }: TextConflict,
): Promise<Prompt> {
  const base = await git.text(['merge-base', head, tip.commit]).catch(() => head);
  const { paths, messages } = merge;
  const diffs = [];
  for (const path of paths) {
    for (const [side, commit] of [
      ['what was merged before', head],
      [tip.ref, tip.commit],
    ] as const) {
      const args = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', base, commit, '--', path];
      diffs.push({ path, side, diff: (await git.run(args)).stdout.toString('utf8') });
    }
  }
  return integratorPrompt(role, tip.ref, { paths, messages, diffs });
}
