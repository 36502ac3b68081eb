import { createHash } from 'node:crypto';
import { z } from 'zod';
import { nearest } from '#lib/nearest.ts';
import { ConfigError } from '#schema/errors.ts';

/** What a step may require: a kind of JSON object, its schema, and a valid example. */
export interface HandoffContract {
  /** The reference in steps: `wr.contracts.coding_handoff`. */
  readonly ref: string;
  readonly version: number;
  readonly schema: z.ZodType;
  /** Shown to an agent whose handoff was refused; it must itself be valid. */
  readonly example: { readonly kind: string; readonly [key: string]: unknown };
  /** The message to an agent that handed in nothing or something wrong. */
  readonly blockedMessage: string;
}

export type ContractAnswer =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly code: 'MISSING_REQUIRED_OUTPUT' | 'INVALID_REQUIRED_OUTPUT';
      /** `path: message`, all of them. */
      readonly problems: readonly string[];
      readonly blockedMessage: string;
      readonly example: unknown;
    };

/** The registered kinds of handoffs. A project or a plugin adds its own; nothing else has to change. */
export class ContractRegistry {
  readonly #contracts = new Map<string, HandoffContract>();

  constructor(contracts: readonly HandoffContract[] = []) {
    for (const contract of contracts) this.register(contract);
  }

  get refs(): readonly string[] {
    return [...this.#contracts.keys()];
  }

  get all(): readonly HandoffContract[] {
    return [...this.#contracts.values()];
  }

  /** Refuses a contract that nothing satisfies or that anything satisfies, and a second one under the same name. */
  register(contract: HandoffContract): void {
    const { ref, schema, example, blockedMessage } = contract;
    const known = this.#contracts.get(ref);
    if (known && schemaHash(known.schema) === schemaHash(schema)) return;
    const problem = known
      ? 'is registered already with another schema'
      : !/^[a-z][\w-]*(\.[a-z][\w-]*)+$/i.test(ref)
        ? 'has a name without a dot: name it like project.contracts.release_notes'
        : blockedMessage.trim() === ''
          ? 'has no blockedMessage'
          : typeof example.kind !== 'string' || example.kind === ''
            ? 'has an example without a kind'
            : !schema.safeParse(example).success
              ? 'refuses its own example'
              : schema.safeParse({}).success || schema.safeParse({ kind: example.kind }).success
                ? 'accepts an empty object'
                : null;
    if (problem !== null)
      throw new ConfigError({
        code: 'bad-contract',
        message: `the handoff contract ${ref} ${problem}`,
        hint: 'see docs/handoffs.md, "Contracts of your own"',
      });
    this.#contracts.set(ref, contract);
  }

  get(ref: string): HandoffContract {
    const contract = this.#contracts.get(ref);
    if (contract) return contract;
    const meant = nearest(ref, this.refs);
    throw new ConfigError({
      code: 'unknown-contract',
      message: `there is no handoff contract ${ref}`,
      hint: meant === null ? `known: ${this.refs.join(', ')}` : `did you mean ${meant}?`,
    });
  }

  /** The contract for objects of a kind; null if none is registered. */
  ofKind(kind: string): HandoffContract | null {
    return this.all.find(({ example }) => example.kind === kind) ?? null;
  }

  /** Checks a submission against one contract: of several objects of its kind the last one counts. */
  check(ref: string, handedIn: readonly unknown[]): ContractAnswer {
    const contract = this.get(ref);
    const kinds = handedIn.map(kindOf);
    const value = handedIn[kinds.lastIndexOf(contract.example.kind)];
    if (value === undefined) {
      const submitted = kinds.filter((kind) => kind !== null);
      const told = submitted.length === 0 ? 'nothing was handed in' : `handed in: ${submitted.join(', ')}`;
      return refused(contract, 'MISSING_REQUIRED_OUTPUT', [`${contract.example.kind} is missing; ${told}`]);
    }
    const parsed = contract.schema.safeParse(value);
    if (parsed.success) return { ok: true, value: parsed.data };
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.join('.') || contract.example.kind}: ${issue.message}`,
    );
    return refused(contract, 'INVALID_REQUIRED_OUTPUT', problems);
  }

  /** Hash of the schemas that a plan or a workflow relies on. */
  hash(refs: readonly string[] = this.refs): string {
    const pairs = [...new Set(refs)].toSorted().map((ref) => [ref, schemaHash(this.get(ref).schema)]);
    return sha256(JSON.stringify(pairs));
  }
}

function refused(
  { blockedMessage, example }: HandoffContract,
  code: 'MISSING_REQUIRED_OUTPUT' | 'INVALID_REQUIRED_OUTPUT',
  problems: readonly string[],
): ContractAnswer {
  return { ok: false, code, problems, blockedMessage, example };
}

function kindOf(value: unknown): string | null {
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : null;
  return typeof kind === 'string' ? kind : null;
}

function schemaHash(schema: z.ZodType): string {
  return sha256(JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' })));
}

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
