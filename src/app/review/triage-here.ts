import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { validateTriageFile } from '#review/triage/validate-triage.ts';
import { UsageError } from '#schema/errors.ts';
import type { TriageReport } from '#schema/triage.ts';

/** Checks a triage file. An unreadable file is bad input; a wrong triage fails. */
export function validateTriageHere({ cwd }: { readonly cwd: string }, file: string): TriageReport {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new UsageError({
      code: 'bad-triage',
      message:
        (cause as NodeJS.ErrnoException).code === 'ENOENT'
          ? `there is no file ${file}`
          : `${file} cannot be read: ${(cause as Error).message.split('\n')[0]}`,
      hint: 'name a file as schemas/triage.schema.json describes it',
      cause,
    });
  }
  return validateTriageFile(text);
}
