import type { z } from 'zod';
import type { JsonSchema } from '#schema/compiled-workflow.ts';
import type { Blocker } from '#schema/workflow-run.ts';
import { type OutputContract, outputContract, schemaFor } from './registry.ts';
import type { Submission } from './submission.ts';

/**
 * The only place that decides whether the artifact a contract requires is present and valid. With `isRequired` false it
 * may be absent, but must be valid if present.
 */
export function checkContractOutput(
  ref: string,
  isRequired: boolean,
  { artifacts }: Submission,
  pinned?: JsonSchema,
): Blocker[] {
  const contract = outputContract(ref);
  if (!contract) return [missingContract(ref)];
  const [first] = artifacts.filter(({ kind }) => kind === contract.kind);
  if (!first) return isRequired ? [missing(contract, artifacts)] : [];
  const parsed = schemaFor(contract, pinned).safeParse(first);
  return parsed.success ? [] : [invalid(contract, parsed.error)];
}

/** An example artifact, for the prompt and for the answer to a refused one. */
export function exampleOf(ref: string): string {
  const contract = outputContract(ref);
  return contract ? JSON.stringify(contract.example, null, 2) : '';
}

function missing({ ref, kind, example }: OutputContract, artifacts: Submission['artifacts']): Blocker {
  const kinds = artifacts.map((each) => JSON.stringify(each.kind ?? null));
  return {
    code: 'MISSING_REQUIRED_OUTPUT',
    about: ref,
    message:
      kinds.length === 0
        ? `no artifact was handed in; one of kind "${kind}" is needed`
        : `none of the artifacts (${kinds.join(', ')}) is of kind "${kind}"`,
    fix: `hand in output.artifacts with one like this:\n${JSON.stringify(example, null, 2)}`,
  };
}

function invalid({ ref, kind, example }: OutputContract, error: z.ZodError): Blocker {
  const issues = error.issues.map(({ path, message }) => `${path.join('.') || kind}: ${message}`);
  return {
    code: 'INVALID_REQUIRED_OUTPUT',
    about: ref,
    message: issues.join('; '),
    fix: `correct it; this one would be accepted:\n${JSON.stringify(example, null, 2)}`,
  };
}

function missingContract(ref: string): Blocker {
  return {
    code: 'PRECONDITION_FAILED',
    about: ref,
    message: `contract ${ref} is not known to this version of Joinery`,
    fix: 'continue with the version the run was started with',
  };
}
