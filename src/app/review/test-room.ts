import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefectPlace } from '#app/planning/defect-work.ts';
import { programEnvironment } from '#app/workplace/program-environment.ts';
import { provideDependencies } from '#gates/runner/dependencies.ts';
import { gateTerms } from '#gates/runner/gate-environment.ts';
import { withOwnWorktree } from '#gates/runner/own-worktree.ts';
import { recordEvidence } from '#gates/runner/record.ts';
import { openEvidenceStore } from '#gates/runner/store.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { openWorktreeReader } from '#git/worktrees/worktree-tree.ts';
import type { TestRun } from '#review/proof/judge-red-test.ts';
import type { Gate } from '#schema/gates.ts';

/** A worktree that no agent has seen, with Joinery's runner in it. */
interface TestRoom {
  readonly path: string;
  run(gate: Gate, line: string, leftMs: number): Promise<TestRun & { readonly evidence: string }>;
}

export async function withTestRoom<T>(
  { room, env, signal, commit }: Omit<DefectPlace, 'consultant'> & { readonly commit: string },
  body: (testRoom: TestRoom) => Promise<T>,
): Promise<T> {
  const { repository, config, state } = room;
  const store = openEvidenceStore(state);
  const scratch = await createScratch(repository, join(store.folder, 'scratch'));
  const variables = programEnvironment(env, config.gates.env);
  const provide = (path: string) =>
    provideDependencies(config.worktree, repository.workTree, path, variables);
  const reason = 'joinery: proof of a finding';
  try {
    return await withOwnWorktree(
      { repository, scratch, folder: store.folder, provide, commit, reason },
      async (path) =>
        body({
          path,
          async run(gate, line, leftMs) {
            const evidence = await recordEvidence(
              {
                claim: 'test',
                gate: gate.id,
                command: { kind: 'line', line },
                timeoutMs: Math.min(gate.timeoutMs, Math.ceil(leftMs)),
              },
              {
                store,
                worktree: await openWorktreeReader(repository, scratch, path, config.worktree.folders),
                ...gateTerms(config, env, variables),
                signal,
                run: null,
                task: null,
                attempt: null,
              },
            );
            const { outcome, exitCode, tests, id } = evidence;
            return { outcome, exitCode, tests, log: readFileSync(evidence.log.file, 'utf8'), evidence: id };
          },
        }),
    );
  } finally {
    await scratch.remove();
  }
}
