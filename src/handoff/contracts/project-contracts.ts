import { z } from 'zod';
import { ConfigError } from '#schema/errors.ts';
import type { ContractRegistry } from './registry.ts';

/** Where a project puts its own contracts, one JSON file each. */
const folder = '.joinery/contracts/';

export function isContractFile(path: string): boolean {
  return path.startsWith(folder) && path.endsWith('.json');
}

const ContractFile = z.strictObject({
  ref: z.string().min(1),
  version: z.int().positive(),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the object.'),
  example: z.looseObject({ kind: z.string().min(1) }),
  blockedMessage: z.string().min(1),
});

/** Adds the contract that a file describes; every error names the file. */
export function registerContract(registry: ContractRegistry, file: string, text: string): void {
  const complain = (message: string, cause?: unknown) =>
    new ConfigError({
      code: 'bad-contract',
      message: `${file}: ${message}`,
      hint: 'see docs/handoffs.md, "Contracts of your own"',
      cause,
    });
  let written: unknown;
  try {
    written = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw complain('it is not JSON', cause);
  }
  const parsed = ContractFile.safeParse(written);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw complain(`${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
  }
  let schema: z.ZodType;
  try {
    schema = z.fromJSONSchema(parsed.data.schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (cause) {
    throw complain(`schema: ${(cause as Error).message}`, cause);
  }
  try {
    registry.register({ ...parsed.data, schema });
  } catch (cause) {
    throw complain((cause as Error).message, cause);
  }
}
