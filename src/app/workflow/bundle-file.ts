import { UsageError } from '#schema/errors.ts';
import { WorkflowBundle } from '#workflow/engine/bundle.ts';
import { rotateKeys } from '#workflow/engine/keyring.ts';
import type { WorkflowRoom } from './workflow-room.ts';

export function readBundle(read: () => string, file: string): WorkflowBundle {
  const refuse = (message: string, cause?: unknown) =>
    new UsageError({
      code: 'bad-bundle',
      message: `${file}: ${message}`,
      hint: 'name a file that joinery workflow export has written',
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(read());
  } catch (cause) {
    throw refuse((cause as Error).message.split('\n')[0] ?? 'cannot be read', cause);
  }
  const parsed = WorkflowBundle.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw refuse(`${first?.path.join('.') || 'the document'}: ${first?.message}`);
}

export function rotateWorkflowKeys({ keyFile }: WorkflowRoom): void {
  rotateKeys(keyFile);
}
