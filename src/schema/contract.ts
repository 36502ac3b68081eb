import { z } from 'zod';

const Name = z.string().min(1);

const Entity = z.object({
  name: Name,
  type: z
    .enum(['database', 'file', 'function', 'type', 'route', 'event'])
    .describe('What it is: a table, a file, a function, a type, an HTTP route, an event.'),
  table: z.string().min(1).optional().describe('Database: the table.'),
  path: z.string().min(1).optional().describe('File that holds it, relative to the repository.'),
  function: z
    .string()
    .min(1)
    .optional()
    .describe('Function: its name, or its whole signature: "login(email: string): Session".'),
  createdByTask: z.string().min(1).nullable().describe('Task that makes it; null: the base has it already.'),
  keyFields: z
    .array(z.string().min(1))
    .default([])
    .describe('Fields, columns or parameters others rely on; with a type where it matters: "id: string".'),
});

const Relationship = z.object({
  from: Name.describe('Name of an entity.'),
  to: Name.describe('Name of an entity.'),
  type: z.enum(['belongs_to', 'has_many', 'many_to_many']),
  via: z.string().min(1).describe('The field or table that carries it.'),
  createdByTask: z.string().min(1).nullable(),
});

const CoreQuery = z.object({
  description: z.string().min(1),
  traversal: z.string().min(1).describe('How it is answered: User → orders → total.'),
  answers: z.string().min(1).describe('What it tells.'),
});

/** The agreement between tasks, frozen before they start. */
export const Contract = z.object({
  schema: z.literal('joinery/contract@1'),
  coreQuestion: z.string().min(1).describe('The one question the finished work has to answer.'),
  entities: z.array(Entity),
  relationships: z.array(Relationship).default([]),
  coreQueries: z.array(CoreQuery).default([]),
});
export type Contract = z.infer<typeof Contract>;

/** A change of the contract that a task needs. */
export const ContractChange = z.object({
  item: Name.describe('Name of an entity, or "Order → User" for a relationship.'),
  set: z
    .strictObject({
      type: z.string().min(1).optional(),
      table: z.string().min(1).optional(),
      path: z.string().min(1).optional(),
      function: z.string().min(1).optional(),
      keyFields: z.array(z.string().min(1)).optional(),
      via: z.string().min(1).optional(),
    })
    .nullable()
    .describe('What is to be different; null: the item goes. An item that does not exist is added.'),
  reason: z.string().min(1),
});
export type ContractChange = z.infer<typeof ContractChange>;

/** In the first line of every file that `joinery contract stubs` writes. */
export const stubMark = 'Made by joinery contract stubs from contract';

/** Shown to an agent that has to write a contract. */
export const exampleContract: z.input<typeof Contract> = {
  schema: 'joinery/contract@1',
  coreQuestion: 'Which orders has a user placed?',
  entities: [
    { name: 'User', type: 'type', path: 'src/user.ts', createdByTask: 'user', keyFields: ['id', 'name'] },
    { name: 'Order', type: 'database', table: 'orders', createdByTask: null, keyFields: ['user_id'] },
  ],
  relationships: [
    { from: 'Order', to: 'User', type: 'belongs_to', via: 'orders.user_id', createdByTask: 'user' },
  ],
  coreQueries: [
    { description: 'Orders of a user', traversal: 'User → orders', answers: 'What has this user ordered?' },
  ],
};

/** Contradictions in a well-formed contract, in words a person can act on. */
export function contractProblems(contract: Contract, taskIds: ReadonlySet<string>): string[] {
  const names = contract.entities.map(({ name }) => name);
  const known = new Set(names);
  return [
    ...names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => `contract: entity ${name} is listed twice`),
    ...contract.entities.flatMap(({ name, type, table, path, function: called }) => [
      ...(type === 'database' && !table ? [`contract: entity ${name} is a database and names no table`] : []),
      ...((type === 'file' || type === 'function') && !path
        ? [`contract: entity ${name} is a ${type} and names no path`]
        : []),
      ...(type === 'function' && !called ? [`contract: entity ${name} is a function and names none`] : []),
    ]),
    ...contract.relationships.flatMap(({ from, to }) =>
      [from, to]
        .filter((end) => !known.has(end))
        .map((end) => `contract: relationship ${from} → ${to}: there is no entity ${end}`),
    ),
    ...[...contract.entities, ...contract.relationships].flatMap((part) =>
      part.createdByTask === null || taskIds.has(part.createdByTask)
        ? []
        : [`contract: ${nameOf(part)} is created by task ${part.createdByTask}, which does not exist`],
    ),
  ];
}

function nameOf(part: Contract['entities'][number] | Contract['relationships'][number]): string {
  return 'name' in part ? part.name : `${part.from} → ${part.to}`;
}
