import { programEnvironment } from '#app/workplace/program-environment.ts';
import { lastRunOf, openSuiteResults, rememberRun } from '#app/workplace/suite-memory.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { TestRoom } from '#check/witness/test-room.ts';
import { readBaseRules } from '#gates/definitions/base-rules.ts';
import { selectGates } from '#gates/definitions/select.ts';
import { testCommand } from '#gates/definitions/test-command.ts';
import { openEvidenceStore } from '#gates/runner/store.ts';
import { treeOf } from '#git/merges/branches.ts';
import { filesOfCommit } from '#git/trees/files-at.ts';
import type { SuiteQuestion, Suites, SuiteTrial } from '#integrate/suite/suite.ts';
import { containmentHere, describeContainment } from '#process/containment.ts';
import { withOwnCommand } from '#process/own-command.ts';
import type { Gate } from '#schema/gates.ts';
import type { IntegrationRoom } from './integration-room.ts';

/** Without another limit tests have this long, and three times as long as the last time. */
const leastMs = 10 * 60_000;
const timesLonger = 3;

/** How the tests that a commit defines run here. Their results are kept, by tree and environment. */
export async function suitesHere(
  { repository, scratch, env, state }: IntegrationRoom,
  { terminal, onInterrupt }: Pick<Surroundings, 'terminal' | 'onInterrupt'>,
  base: string,
): Promise<Suites & { close(): void }> {
  const { config, gates } = await readBaseRules(base, filesOfCommit(repository.git, base));
  const results = openSuiteResults(state);
  const variables = programEnvironment(withOwnCommand(env, state), config.gates.env);
  const room = await TestRoom.open(
    { repository, scratch, store: openEvidenceStore(state) },
    {
      env: variables,
      provisioning: config.worktree,
      logBytes: config.gates.logBytes,
      memoryBytes: config.gates.memoryBytes,
      sandbox: [],
    },
    results,
  );
  const forget = onInterrupt(async () => room.stop());
  const tests = gates.gates.filter(({ kind }) => kind === 'test');
  const lastOf = ({ command }: Gate) => lastRunOf(results, command)?.wallMs ?? null;
  const limitOf = (gate: Gate) => {
    const { minutes } = config.gates;
    if (minutes !== undefined) return minutes * 60_000;
    // A limit that was written for this gate holds.
    if (gate.timeoutMs !== config.gates.timeoutSeconds * 1000 || gate.timeoutMs < leastMs)
      return gate.timeoutMs;
    return Math.max(gate.timeoutMs, leastMs, timesLonger * (lastOf(gate) ?? 0));
  };
  return {
    sources: gates.sources,
    gatesFor: (files) => {
      const written = tests.filter(({ isFound }) => !isFound);
      return written.length > 0
        ? written
        : selectGates(
            { ...gates, gates: tests },
            files.filter((path) => !isProse(path)),
            'full',
          );
    },
    announce: (gate) => {
      const last = lastOf(gate);
      terminal.warn(
        `running the tests on the result: ${gate.command} (${gate.origin}), ${last === null ? 'never timed' : `last time ${(last / 1000).toFixed(1)} s`}, at most ${Math.round(limitOf(gate) / 60_000)} min, ${describeContainment(containmentHere(env))}`,
      );
    },
    async run(gate, commit, { files, time, lines }: SuiteQuestion): Promise<SuiteTrial> {
      const limitMs = limitOf(gate);
      const focused = files === null ? null : testCommand(gate.command, files);
      const line = focused?.isFocused ? focused.line : gate.command;
      const tree = await treeOf(scratch.git, commit);
      const { network = false } = gate;
      const trial = { claim: 'test' as const, gate: gate.id, line, timeoutMs: limitMs, lines, network };
      const run = await room.run(tree, trial, time);
      if (files === null && run.outcome === 'exited')
        rememberRun(results, gate.command, {
          wallMs: run.wallMs,
          cases: run.report.cases.filter(({ outcome }) => outcome !== 'skipped').length,
        });
      return { ...run, limitMs };
    },
    close: () => {
      forget();
      results.trim();
    },
  };
}

/** No test reads it. */
const isProse = (path: string) => /\.(md|mdx|rst|adoc)$|(^|\/)licen[cs]e[^/]*$/i.test(path);
