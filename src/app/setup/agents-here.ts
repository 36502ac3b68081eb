import { surveyAgents } from '#agents/survey/survey-agents.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { loadConfig } from '#config/read-config.ts';
import type { Config } from '#config/settings.ts';
import { openRepository } from '#git/call/repository.ts';
import type { AgentsReport, TryReport } from '#schema/agents-report.ts';
import { isJoineryError } from '#schema/errors.ts';
import { describeEvent, tryAgent } from './try-agent.ts';

type Here = Pick<Surroundings, 'cwd' | 'env'>;

/** Which agents are installed, in which version, and which features work. */
export async function listAgentsHere(here: Here): Promise<AgentsReport> {
  const { root, config } = await configHere(here);
  return surveyAgents(config, here.env, root);
}

interface Trial {
  readonly name: string;
  readonly model: string | null;
  readonly wallMs: number;
  readonly signal: AbortSignal;
  /** Called with a line for each event worth showing. */
  readonly tell: (line: string) => void;
}

/** Lets an agent do one small task in a temporary repository. */
export async function tryAgentHere(here: Here, { tell, ...trial }: Trial): Promise<TryReport> {
  const { config } = await configHere(here);
  return tryAgent({
    ...trial,
    config,
    env: here.env,
    report: (event) => {
      const line = describeEvent(event);
      if (line !== null) tell(line);
    },
  });
}

/** Outside a repository there is no config, but agents can still be looked up. */
async function configHere({ cwd, env }: Here): Promise<{ root: string | null; config: Config }> {
  const root = await openRepository(cwd).then(
    ({ workTree }) => workTree,
    (error: unknown) => {
      if (isJoineryError(error)) return null;
      throw error;
    },
  );
  return { root, config: (await loadConfig({ root, env })).values };
}
