import { resolve } from 'node:path';
import type { z } from 'zod';
import { readBoundedFile } from '#lib/read-bounded-file.ts';
import { UsageError } from '#schema/errors.ts';

/** How to get a file that is not there. */
const missing: Readonly<Record<string, string>> = {
  plan: 'write one: joinery plan init, or have it written: joinery plan specs/<name>.md',
};

/** Reads a JSON file that a person named and parses it with the schema; every error names its place. */
export function readInput<T extends z.ZodType>(
  cwd: string,
  path: string,
  schema: T,
  what: string,
): z.output<T> {
  const complain = (
    message: string,
    cause?: unknown,
    hint = `the format is described in schemas/${what}.schema.json`,
  ) => new UsageError({ code: `bad-${what}`, message: `${path}: ${message}`, hint, cause });
  let value: unknown;
  try {
    value = JSON.parse(readBoundedFile(resolve(cwd, path)));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT')
      throw complain('there is no such file', cause, missing[what] ?? 'name an existing file');
    throw complain((cause as Error).message.split('\n')[0] ?? 'cannot be read', cause);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const more = parsed.error.issues.length > 1 ? ` (and ${parsed.error.issues.length - 1} more)` : '';
  throw complain(`${first?.path.join('.') || 'the document'}: ${first?.message}${more}`);
}
