import { UsageError } from '#schema/errors.ts';

/** Words behind an action that takes none: left out of account, something else than was meant would be shown. */
export function refuseMore(command: string, action: string, [extra]: readonly string[]): void {
  if (extra === undefined) return;
  throw new UsageError({
    code: 'unexpected-argument',
    message: `${command} ${action} does not know what to do with "${extra}"`,
    hint: `joinery ${command} --help`,
  });
}
