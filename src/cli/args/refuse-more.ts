import { UsageError } from '#schema/errors.ts';

/** Refuses extra words after an action: ignoring them would show something else than the user meant. */
export function refuseMore(command: string, action: string, [extra]: readonly string[]): void {
  if (extra === undefined) return;
  throw new UsageError({
    code: 'unexpected-argument',
    message: `${command} ${action} does not know what to do with "${extra}"`,
    hint: `joinery ${command} --help`,
  });
}
