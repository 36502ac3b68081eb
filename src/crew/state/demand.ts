import { IllegalEventError } from '#durable/engine-error.ts';
import type { RunEvent } from '#schema/event.ts';

/** Refuses an event that no run can have written. */
export function demand(event: RunEvent, condition: boolean, why: string): void {
  if (!condition) throw new IllegalEventError(event.type, why);
}
