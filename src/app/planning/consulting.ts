import { describeEvent } from '#app/setup/try-agent.ts';
import { readInput } from '#app/workplace/input-file.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { Scenario } from '#schema/scenario.ts';
import { type ConsultWish, chooseAgent, type PlanRoom, withPlanRoom } from './plan-room.ts';

/** Options of every command that asks agents. */
export interface AgentWish {
  /** Undefined: the only installed one. */
  readonly agent: string | undefined;
  /** File with the scenario of the scripted agent. */
  readonly scenario: string | undefined;
  /** Commit-ish that code and roles are read from; undefined: the checked-out one. */
  readonly base: string | undefined;
  /** Lets the person at the terminal choose among several; null: without asking. */
  readonly choose?: Parameters<typeof chooseAgent>[4];
  /** Called with a line about what an agent does. */
  tell(line: string): void;
}

/** Runs a body that may ask agents: shows progress, and stops the agents when the command is interrupted. */
export async function consulting<T>(
  { cwd, env, terminal, onInterrupt }: Surroundings,
  wish: AgentWish,
  body: (room: PlanRoom, ask: ConsultWish) => Promise<T>,
  /** Throws if the input cannot be used; called before looking for an agent. */
  demand: (room: PlanRoom) => unknown = () => {},
): Promise<T> {
  const scenario = wish.scenario === undefined ? null : readInput(cwd, wish.scenario, Scenario, 'scenario');
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const forget = onInterrupt(() => {
    stop.abort('interrupted');
    return ended.promise;
  });
  let who = '';
  let began = performance.now();
  const clock = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000);
    if (who !== '') terminal.progress(`waiting for the ${who}, ${seconds} s`);
  }, 1000);
  try {
    return await withPlanRoom({ cwd, env, base: wish.base, warn: terminal.warn }, async (room) => {
      demand(room);
      const agent = await chooseAgent(wish.agent, room.config, env, room.root, wish.choose);
      return body(room, {
        agent,
        // An agent named on the command line overrides the project's setting.
        roles: wish.agent === undefined ? (room.config.agents.roles ?? {}) : {},
        scenario,
        signal: stop.signal,
        report({ role, n }, event) {
          if (who !== role) [who, began] = [role, performance.now()];
          const line = describeEvent(event);
          if (line !== null) wish.tell(`${role} ${n} ${line}`);
        },
      });
    });
  } finally {
    clearInterval(clock);
    ended.resolve();
    forget();
  }
}
