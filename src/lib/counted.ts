import { channel } from 'node:diagnostics_channel';

/** Work whose amount is limited by tests: `joinery:parsed`, `joinery:answered`. Costs nothing where nobody counts. */
const parsed = channel('joinery:parsed');
const answered = channel('joinery:answered');

/** A parser reads a text: for the facts of a language, or for the shared data of a format. */
export function countParse(reader: 'facts' | 'data', blob: string): void {
  if (parsed.hasSubscribers) parsed.publish({ reader, blob });
}

/** A question of a check was worked out. */
export function countAnswer(question: readonly unknown[]): void {
  if (answered.hasSubscribers) answered.publish(question);
}
