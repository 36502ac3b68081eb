import { Contract, type ContractChange, contractProblems } from '#schema/contract.ts';

export type Applied =
  | { readonly status: 'changed'; readonly contract: Contract }
  /** The contract already says so. */
  | { readonly status: 'same' }
  | { readonly status: 'impossible'; readonly reason: string };

/** The parts of a task that matter for contracts. */
interface TaskText {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly files: readonly string[];
  readonly acceptance: readonly { readonly text: string }[];
}

/** Applies a change that a task requests. The result never contradicts itself. */
export function applyChange(
  contract: Contract,
  change: ContractChange,
  task: string,
  taskIds: ReadonlySet<string>,
): Applied {
  const drafted = endsOf(change.item)
    ? withRelationship(contract, change, task)
    : withEntity(contract, change, task);
  if (drafted === null || drafted === undefined)
    return { status: 'impossible', reason: `the contract has no item ${change.item}` };
  const parsed = Contract.safeParse(drafted);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { status: 'impossible', reason: `${issue?.path.join('.')}: ${issue?.message}` };
  }
  const problems = contractProblems(parsed.data, taskIds);
  if (problems.length > 0) return { status: 'impossible', reason: problems.join('; ') };
  return JSON.stringify(parsed.data) === JSON.stringify(Contract.parse(contract))
    ? { status: 'same' }
    : { status: 'changed', contract: parsed.data };
}

function withEntity(contract: Contract, { item, set }: ContractChange, task: string): unknown {
  const known = contract.entities.find(({ name }) => name === item);
  if (set === null)
    return known && { ...contract, entities: contract.entities.filter((each) => each !== known) };
  const { via: _, ...fields } = set;
  if (known)
    return {
      ...contract,
      entities: contract.entities.map((each) => (each === known ? { ...each, ...fields } : each)),
    };
  if (set.type === undefined) return null;
  return { ...contract, entities: [...contract.entities, { name: item, createdByTask: task, ...fields }] };
}

function withRelationship(contract: Contract, { item, set }: ContractChange, task: string): unknown {
  const ends = endsOf(item);
  const known = contract.relationships.find(({ from, to }) => from === ends?.from && to === ends.to);
  if (set === null)
    return known && { ...contract, relationships: contract.relationships.filter((each) => each !== known) };
  const fields = { ...(set.type ? { type: set.type } : {}), ...(set.via ? { via: set.via } : {}) };
  const relationships = known
    ? contract.relationships.map((each) => (each === known ? { ...each, ...fields } : each))
    : [...contract.relationships, { ...ends, createdByTask: task, ...fields }];
  return { ...contract, relationships };
}

/** `Order → User`. */
function endsOf(item: string): { readonly from: string; readonly to: string } | null {
  const [, from, to] = /^(\S.*?)\s{0,20}(?:→|->)\s*(\S.*)$/.exec(item) ?? [];
  return from === undefined || to === undefined ? null : { from, to };
}

/** `User: keyFields is now id, name (because the list shows names)`. */
export function describeChange({ item, set, reason }: ContractChange): string {
  const what =
    set === null
      ? 'it is no longer part of the contract'
      : Object.entries(set)
          .map(([key, value]) => `${key} is now ${Array.isArray(value) ? value.join(', ') : value}`)
          .join('; ');
  return `${item}: ${what} (because ${reason})`;
}

/** Tasks that depend on an item: they create it or something related to it, declare its file, or mention it. In the order of the plan. */
export function tasksDependingOn(contract: Contract, item: string, tasks: readonly TaskText[]): string[] {
  const ends = endsOf(item);
  const names = new Set(ends ? [ends.from, ends.to] : [item]);
  const entities = contract.entities.filter(({ name }) => names.has(name));
  const related = contract.relationships.filter(({ from, to }) => names.has(from) || names.has(to));
  const makers = new Set([...entities, ...related].map(({ createdByTask }) => createdByTask));
  const paths = new Set(entities.flatMap(({ path }) => path ?? []));
  const words = entities.flatMap(({ name, table, path }) =>
    [name, table, path].flatMap((word) => word ?? []),
  );
  return tasks
    .filter(
      ({ id, title, description, files, acceptance }) =>
        makers.has(id) ||
        files.some((file) => paths.has(file)) ||
        words.some((word) =>
          [title, description, ...acceptance.map(({ text }) => text)].some((text) => speaksOf(text, word)),
        ),
    )
    .map(({ id }) => id);
}

function speaksOf(text: string, word: string): boolean {
  const isPart = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true;
  return false;
}
