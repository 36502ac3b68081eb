import type { z } from 'zod';
import { ApiError } from './api-error.ts';

/** Parses an answer with a schema; throws if it does not match. */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: string,
): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw ApiError.unexpected(
    new URL(path, 'https://api').href,
    `is not what was expected: ${issue?.path.join('.')} ${issue?.message}`,
  );
}
