import { UsageError } from '#schema/errors.ts';

export function notFound(message: string): UsageError {
  return new UsageError({ code: 'not-found', message, hint: 'joinery runs' });
}
