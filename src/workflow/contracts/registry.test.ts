import { expect, test } from 'vitest';
import { builtInContracts } from '#handoff/contracts/built-in.ts';
import { jsonSchemaOf, outputContract, outputContracts } from './registry.ts';

test.each(builtInContracts.map((contract) => [contract.ref, contract] as const))(
  '%s requires the same in a handoff and in a workflow',
  (ref, contract) => {
    const inWorkflow = outputContract(ref);
    expect(inWorkflow && jsonSchemaOf(inWorkflow)).toEqual(
      jsonSchemaOf({ ...contract, kind: contract.example.kind, purpose: '' }),
    );
  },
);

test.each(outputContracts().map((contract) => [contract.ref, contract] as const))(
  'the example of %s is accepted',
  (_, { schema, example }) => {
    expect(schema.safeParse(example).error).toBeUndefined();
  },
);
