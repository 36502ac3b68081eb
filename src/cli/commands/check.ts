import { EnvironmentError } from '../../model/errors.ts';
import type { Run } from '../invocation.ts';
import type { checkTable } from './check.table.ts';

export const run: Run<typeof checkTable> = async () => {
  throw new EnvironmentError({
    code: 'not-built',
    message: 'check is not part of this build',
    hint: 'joinery doctor',
  });
};
