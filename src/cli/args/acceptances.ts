import { userInfo } from 'node:os';
import { UsageError } from '#schema/errors.ts';
import type { Acceptance } from '#schema/verdict.ts';

/** Whose account runs the command. */
function thisPerson(): string {
  return `person:${userInfo().username}`;
}

/** `72f6f393=the old importer goes in May`, one per line; the person is the one whose account runs the command. */
export function acceptancesOf(typed: string | undefined): Acceptance[] {
  if (typed === undefined) return [];
  return typed.split('\n').map((line) => {
    const [, id = '', reason = ''] = /^([^=]+)=(.*)$/s.exec(line) ?? [];
    if (id.trim() === '' || reason.trim() === '')
      throw new UsageError({
        code: 'bad-acceptance',
        message: `--accept ${JSON.stringify(line)} needs the id of a finding and a reason`,
        hint: "joinery check --accept 72f6f393='the old importer goes in May'",
      });
    return { id: id.trim(), reason: reason.trim(), by: thisPerson() };
  });
}
