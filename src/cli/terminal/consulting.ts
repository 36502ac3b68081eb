import { readInput } from '#app/input-file.ts';
import type { ConsultWish } from '#app/plan-room.ts';
import { describeEvent } from '#app/try-agent.ts';
import type { Invocation } from '#cli/args/invocation.ts';
import { Scenario } from '#schema/scenario.ts';
import { formatElapsed } from './figures.ts';

/** Lets a command ask agents: shows that somebody is at work, and ends them when it is interrupted. */
export async function consulting<T>(
  {
    cwd,
    terminal,
    globals,
    onInterrupt,
    options,
  }: Pick<Invocation, 'cwd' | 'terminal' | 'globals' | 'onInterrupt'> & {
    readonly options: { readonly scenario: string | undefined };
  },
  agent: string,
  body: (wish: ConsultWish) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const forget = onInterrupt(() => {
    stop.abort('interrupted');
    return ended.promise;
  });
  let who = '';
  let began = performance.now();
  const clock = setInterval(() => {
    if (who !== '') terminal.progress(`waiting for the ${who}, ${formatElapsed(performance.now() - began)}`);
  }, 1000);
  try {
    return await body({
      agent,
      scenario:
        options.scenario === undefined ? null : readInput(cwd, options.scenario, Scenario, 'scenario'),
      signal: stop.signal,
      report({ role, n }, event) {
        if (who !== role) [who, began] = [role, performance.now()];
        const line = globals.verbose ? describeEvent(event) : null;
        if (line === null || globals.quiet || globals.json) return;
        terminal.settle();
        process.stderr.write(`${role} ${n} ${line}\n`);
      },
    });
  } finally {
    clearInterval(clock);
    terminal.settle();
    ended.resolve();
    forget();
  }
}
