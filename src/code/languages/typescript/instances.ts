import { keptType } from './kept-type.ts';
import { valueType } from './members.ts';
import type { Placed } from './placement.ts';
import { childIn, type Reading } from './reading.ts';
import { resultType } from './results.ts';
import { type Binding, type Scope, typeSpace } from './scopes.ts';
import { Kind, Role } from './tree/grammar.ts';
import { listElement, typeNameOf } from './types.ts';
import { visible } from './visible.ts';

/** The known types of values: only what an annotation, `new X()` or the call of a name gives for certain. */
export class Instances {
  readonly #reading: Reading;
  readonly #placed: readonly Placed[];
  /** Built on demand: in most files no class reads its own fields. */
  #fields: ReadonlyMap<string, ReadonlyMap<string, string>> | null = null;
  #moduleTypes: ReadonlySet<number> | null = null;
  /** Types of parameters and variables that follow from their context. */
  readonly #given = new Map<number, string>();

  constructor(reading: Reading, placed: readonly Placed[]) {
    this.#reading = reading;
    this.#placed = placed;
  }

  /** The named type of the values a binding holds, null when it is not certain. */
  ofBinding(binding: Binding): string | null {
    if (binding.type === undefined) binding.type = this.#certain(this.#declaredType(binding));
    return binding.type;
  }

  /** The named type of a member of a definition of this file. */
  ofField(container: string, name: string): string | null {
    this.#fields ??= fieldsIn(this.#placed);
    return this.#certain(this.#fields.get(container)?.get(name) ?? null);
  }

  /** The named type of an annotation. */
  ofAnnotation(type: number): string | null {
    if (type < 0) return null;
    return this.#certain(keptType(this.#reading, type)) ?? this.#certain(typeNameOf(this.#reading, type));
  }

  /** The result type of a call. */
  ofCall(value: number): string | null {
    return value < 0 ? null : this.#certain(resultType(this.#reading, value));
  }

  /** Sets the type of an unannotated parameter or variable, or of a name in a pattern, from its context; the first one counts. */
  give(origin: number, type: string): void {
    if (!this.#given.has(origin)) this.#given.set(origin, type);
  }

  ofGiven(origin: number): string | null {
    return this.#certain(this.#given.get(origin) ?? null);
  }

  /** The element type of an annotated list. */
  ofElement({ origin, node }: Binding): string | null {
    const { tree } = this.#reading;
    const kind = tree.kind[origin];
    if ((kind !== Kind.Variable && kind !== Kind.Parameter) || tree.parent[node] !== origin) return null;
    return this.ofAnnotation(listElement(this.#reading, childIn(tree, origin, Role.type)));
  }

  /** Whether the type comes from an annotation: then assignments do not change it. */
  isAnnotated(binding: Binding): boolean {
    return childIn(this.#reading.tree, binding.origin, Role.type) >= 0;
  }

  #declaredType(binding: Binding): string | null {
    const { tree } = this.#reading;
    const { origin, node } = binding;
    const kind = tree.kind[origin];
    if (kind !== Kind.Variable && kind !== Kind.Parameter) return null;
    if (tree.parent[node] !== origin) return this.#given.get(node) ?? null;
    const value = childIn(tree, origin, kind === Kind.Variable ? Role.init : Role.default);
    const type = childIn(tree, origin, Role.type);
    const named = valueType(this.#reading, type, value);
    if (named !== null || type >= 0) return named;
    const given = this.#given.get(origin) ?? null;
    if (value < 0 || kind !== Kind.Variable) return value < 0 ? given : null;
    return this.#certain(resultType(this.#reading, value)) ?? given;
  }

  /** A name that a local scope binds may mean something else at that place. */
  #certain(type: string | null): string | null {
    if (type === null) return null;
    if (/[<|{ ]|[^.]\[/.test(type)) return this.#certainText(type);
    const dot = type.indexOf('.');
    const root = dot < 0 ? type : type.slice(0, dot);
    const name = this.#reading.names.of(root);
    if (this.#reading.scopes.isBoundLocally(name)) return null;
    if (!visible.has(root)) return type;
    this.#moduleTypes ??= typesIn(this.#reading.scopes.module);
    return this.#moduleTypes.has(name) ? type : null;
  }

  /** None of the names in a written type may be bound locally; `Page` stays for `Page<T>` in `<T>(page: Page<T>) => …`. */
  #certainText(type: string): string | null {
    const { names, scopes } = this.#reading;
    const found = type.replaceAll(/'[^']*'|"[^"]*"/g, '').match(namesInText) ?? [];
    if (!found.some((name) => scopes.isBoundLocally(names.of(name)))) return type;
    return this.#certain(/^([\w$.]+)<[^|]*$/.exec(type)?.[1] ?? null);
  }
}

/** Names in a written type: words that are not behind a dot. */
const namesInText = /(?<![\w$.])[A-Za-z_$][\w$]*/g;

/** The names that a scope binds to types. */
function typesIn({ bindings }: Scope): ReadonlySet<number> {
  return new Set(bindings.filter(({ space }) => (space & typeSpace) !== 0).map(({ name }) => name));
}

/** The named types of members, by container and name. */
function fieldsIn(placed: readonly Placed[]): Map<string, Map<string, string>> {
  const all = new Map<string, Map<string, string>>();
  for (const { definition } of placed) {
    const { container, type, name, kind } = definition;
    if (container === null || type === null || (kind !== 'field' && kind !== 'accessor')) continue;
    const fields = all.get(container) ?? new Map<string, string>();
    all.set(container, fields.set(name, type));
  }
  return all;
}
