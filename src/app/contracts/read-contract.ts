import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { contractWithOurNames } from '#planning/answers/contract-names.ts';
import { Contract, contractProblems } from '#schema/contract.ts';
import { UsageError } from '#schema/errors.ts';

/** A contract from a file: Joinery's format, the snake_case format of other tools, or the contract inside a plan. */
export function readContract(cwd: string, path: string): Contract {
  const complain = (
    message: string,
    cause?: unknown,
    hint = 'the format is described in schemas/contract.schema.json; joinery contract draft <ref> writes one',
  ) => new UsageError({ code: 'bad-contract', message: `${path}: ${message}`, hint, cause });
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(resolve(cwd, path), 'utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT')
      throw complain('there is no such file', cause, 'write one: joinery contract draft <ref> --out <file>');
    throw complain((cause as Error).message.split('\n')[0] ?? 'cannot be read', cause);
  }
  const isPlan = (value as { schema?: unknown } | null)?.schema === 'joinery/plan@1';
  const written = isPlan ? (value as { contract?: unknown }).contract : value;
  if (written === undefined) throw complain('the plan has no contract');
  const parsed = Contract.safeParse(withDefaults(contractWithOurNames(written)));
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    throw complain(`${first?.path.join('.') || 'the document'}: ${first?.message}`);
  }
  const tasks = new Set(
    [...parsed.data.entities, ...parsed.data.relationships].flatMap(
      ({ createdByTask }) => createdByTask ?? [],
    ),
  );
  const problems = contractProblems(parsed.data, tasks);
  if (problems.length > 0) throw complain(problems.join('; '));
  return parsed.data;
}

/** Contracts of other tools may lack the question or every entity. A document with other keys is something else. */
function withDefaults(contract: unknown): unknown {
  const isContract =
    contract instanceof Object && Object.keys(contract).every((key) => Object.hasOwn(Contract.shape, key));
  return isContract
    ? { coreQuestion: 'Is everything there that was agreed?', entities: [], ...contract }
    : contract;
}
