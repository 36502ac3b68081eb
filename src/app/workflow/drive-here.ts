import { describeEvent } from '#app/setup/try-agent.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { Scenario } from '#schema/scenario.ts';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';
import { type AgentSeat, askAgent } from './ask-agent.ts';
import { driveWorkflow } from './drive-workflow.ts';
import type { WorkflowRoom } from './workflow-room.ts';

interface AgentWish {
  readonly agent: string;
  readonly scenario: Scenario | null;
  tell(line: string): void;
}

/** Drives a run with an agent in this checkout until it ends or needs a person; Ctrl-C leaves it at its current step. */
export async function driveHere(
  { env, onInterrupt, terminal }: Surroundings,
  room: WorkflowRoom,
  answer: WorkflowAnswer,
  { agent, scenario, tell }: AgentWish,
): Promise<WorkflowAnswer> {
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const forget = onInterrupt(() => {
    stop.abort('interrupted');
    return ended.promise;
  });
  try {
    const seat: AgentSeat = {
      agent,
      scenario,
      config: room.config,
      env,
      scratch: room.folders.scratch('workflows'),
      signal: stop.signal,
      report: (event) => {
        const line = describeEvent(event);
        if (line !== null) terminal.progress(line);
      },
    };
    return await driveWorkflow(room, answer, {
      agent,
      signal: stop.signal,
      ask: (turn) => askAgent(seat, turn),
      mayDelegatesEdit: true,
      cwd: room.workspace,
      mode: 'edit',
      isUntouched: async () => false,
      depth: 0,
      tell,
    });
  } finally {
    forget();
    ended.resolve();
  }
}
