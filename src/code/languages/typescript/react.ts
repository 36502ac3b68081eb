import type { Parameter, Signature, TypeName } from '#code/facts/facts.ts';
import { contextValue, heldValue } from '#code/languages/shared/results.ts';
import { importedFrom } from './imported-from.ts';
import { type Placed, place, signed, typeRange } from './placement.ts';
import { childIn, childrenIn, dottedName, type Reading } from './reading.ts';
import { callableIn, propsSignature, signatureOf } from './signatures.ts';
import { Kind, Role } from './tree/grammar.ts';
import { typeNameOf } from './types.ts';

/** Functions that return a component with the props of the one they take, by their own name, and who provides them. */
const wrappers: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['memo', new Set(['react', 'preact/compat'])],
  ['forwardRef', new Set(['react', 'preact/compat'])],
  ['observer', new Set(['mobx-react', 'mobx-react-lite'])],
]);

const reactPackages = new Set(['react', 'preact/hooks', 'preact/compat', 'preact']);

/** The signature of the component in `memo(Badge)`, `forwardRef<Element, Props>((props, ref) => …)`; null for any other call. */
export function wrappedSignature(reading: Reading, call: number): Signature | null {
  const { tree } = reading;
  const callee = dottedName(reading, call + 1);
  if (callee === null || !wrappers.has(callee.slice(callee.lastIndexOf('.') + 1))) return null;
  const wrapper = importedFrom(reading, callee);
  if (wrapper === null || !wrappers.get(wrapper.name)?.has(wrapper.from)) return null;
  const types = childrenIn(tree, call, Role.typeArgument);
  const props = wrapper.name === 'forwardRef' ? types[1] : types[0];
  if (props !== undefined) return propsSignature(reading, props);
  const [parameter] = componentOf(reading, childIn(tree, call, Role.argument))?.parameters ?? [];
  return parameter === undefined ? null : withProps(parameter);
}

/** The function that is wrapped: written in place, wrapped once more, or a function of this module. */
function componentOf(reading: Reading, value: number): Signature | null {
  const { tree, names, scopes } = reading;
  const callable = callableIn(reading, value);
  if (callable >= 0) return signatureOf(reading, callable);
  if (value < 0) return null;
  if (tree.kind[value] === Kind.Call) return wrappedSignature(reading, value);
  if (tree.kind[value] !== Kind.Reference) return null;
  const name = names.numberOf(value);
  const [only, ...others] = scopes.module.bindings.filter((binding) => binding.name === name);
  if (only === undefined || others.length > 0) return null;
  if (tree.kind[only.origin] === Kind.Function) return signatureOf(reading, only.origin);
  if (tree.kind[only.origin] !== Kind.Variable || childIn(tree, only.origin, Role.type) >= 0) return null;
  const inner = callableIn(reading, childIn(tree, only.origin, Role.init));
  return inner < 0 ? null : signatureOf(reading, inner);
}

function withProps(props: Parameter): Signature | null {
  if (props.type === null || props.kind === 'rest') return null;
  const typeParameters = { min: 0, max: 0 };
  return { parameters: [{ ...props, required: true }], returns: null, generator: false, typeParameters };
}

/** `createContext<Theme>(…)`: the type of its values, as a member of the context. */
export function contextMember(reading: Reading, call: number, of: Placed, found: Placed[]): void {
  const { tree } = reading;
  const type = childIn(tree, call, Role.typeArgument);
  if (type < 0 || !isFromReact(reading, call, 'createContext')) return;
  const value = place(reading, 'field', contextValue, of.path, of.node, tree.start[type] as number, false);
  signed(reading, value, typeRange(reading, type));
  value.definition.type = typeNameOf(reading, type);
  if (value.definition.type !== null) found.push(value);
}

/** The type of `useContext(ThemeContext)`; null for any other call. */
export function typeOfContext(reading: Reading, call: number): TypeName | null {
  const { tree } = reading;
  if (!isFromReact(reading, call, 'useContext') && !isFromReact(reading, call, 'use')) return null;
  const argument = childIn(tree, call, Role.argument);
  const context = argument < 0 ? null : dottedName(reading, argument);
  return context === null ? null : `${context}.${contextValue}.${heldValue}`;
}

/** The type of the first value in `const [user, setUser] = useState<User>(…)`; -1 for any other call. */
export function typeOfState(reading: Reading, call: number): number {
  const type = childIn(reading.tree, call, Role.typeArgument);
  return type >= 0 && isFromReact(reading, call, 'useState') ? type : -1;
}

function isFromReact(reading: Reading, call: number, name: string): boolean {
  const callee = dottedName(reading, call + 1);
  if (callee === null || callee.slice(callee.lastIndexOf('.') + 1) !== name) return false;
  const source = importedFrom(reading, callee);
  return source?.name === name && reactPackages.has(source.from);
}
