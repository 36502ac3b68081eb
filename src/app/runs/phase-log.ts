import type { PhaseFlow } from '#crew/steer/phases.ts';
import type { StepCall } from '#schema/durable-port.ts';
import type { EventDraft, Phase } from '#schema/event.ts';

/** Shown in the live view. After a crash it is shown again, which is harmless. */
export function begin({ context }: PhaseFlow, phase: Phase, detail: string): void {
  context.append([{ type: 'run.phase', data: { phase, status: 'begun', detail } }]);
}

export function ending(
  { context }: PhaseFlow,
  phase: Phase,
  isGood: boolean,
  detail: string,
  report: object,
): EventDraft {
  const artifact = context.keep(`${JSON.stringify(report, null, 2)}\n`);
  return { type: 'run.phase', data: { phase, status: isGood ? 'done' : 'failed', detail, artifact } };
}

/** A recorded step whose result is a Joinery document. */
export async function recorded<T>(
  { context }: PhaseFlow,
  key: string,
  run: (call: StepCall) => Promise<T>,
): Promise<T> {
  const text = await context.step(key, async (call) => JSON.stringify(await run(call)));
  return JSON.parse(text) as T;
}
