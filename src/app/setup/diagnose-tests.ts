import { stateOf } from '#app/workplace/state-of.ts';
import { lastRunOf, openSuiteResults } from '#app/workplace/suite-memory.ts';
import { readBaseRules } from '#gates/definitions/base-rules.ts';
import { dependencyFoldersIn } from '#gates/runner/provide.ts';
import type { Repository } from '#git/call/repository.ts';
import { readName } from '#git/merges/branches.ts';
import { filesOfCommit } from '#git/trees/files-at.ts';
import type { Diagnosis } from '#schema/command-reports.ts';
import { isJoineryError } from '#schema/errors.ts';

const name = 'tests';

/** How the tests of the project run on a result that would land. Nothing is run: a diagnosis leaves nothing behind. */
export async function diagnoseTests(
  repository: Repository | null,
  env: NodeJS.ProcessEnv,
): Promise<Diagnosis[]> {
  const head = repository === null ? null : await readName(repository.git, 'HEAD^{commit}');
  if (repository === null || head === null)
    return [{ name, status: 'skipped', found: 'needs a commit', hint: '' }];
  try {
    const { gates } = await readBaseRules(head, filesOfCommit(repository.git, head));
    const tests = gates.gates.filter(({ kind }) => kind === 'test');
    const proposal = gates.sources.find(({ use }) => use === 'proposal');
    if (tests.length === 0)
      return [
        {
          name,
          status: 'warn',
          found: `nothing says how this project is tested${proposal === undefined ? '' : `; ${proposal.origin} runs: ${proposal.command}`}`,
          hint: 'write "- test: `<command>`" under "## Quality Gates" in AGENTS.md: nothing lands unrun without --unproven',
        },
      ];
    const results = openSuiteResults(stateOf(env, repository.commonDir));
    const folders = repository.workTree === null ? [] : await dependencyFoldersIn(repository.workTree);
    const provided = folders.length === 0 ? '' : `, with ${folders.join(', ')} of the checkout`;
    return tests.map(({ command, origin }) => {
      const last = lastRunOf(results, command);
      const ran =
        last === null
          ? 'not run in a copy yet'
          : `${last.cases} ${last.cases === 1 ? 'case' : 'cases'} ran in a copy in ${(last.wallMs / 1000).toFixed(1)} s`;
      return { name, status: 'pass', found: `${command} (${origin}), ${ran}${provided}`, hint: '' };
    });
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    return [{ name, status: 'fail', found: error.message, hint: error.hint }];
  }
}
