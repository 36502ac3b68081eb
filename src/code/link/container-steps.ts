import { elementOf, plainResult, readGivenParameter } from '#code/languages/shared/results.ts';
import {
  narrowing,
  oneElement,
  passesElement,
  sameElements,
  type TypeText,
} from '#code/languages/shared/type-text.ts';
import type { Declared } from './module-graph.ts';

interface Step {
  readonly value: Declared;
  /** How many names of the path it covers. */
  readonly taken: 1 | 2;
}

type Unfold = (declared: Declared) => { declared: Declared; type: TypeText };

/** What a list, map or record gives for the next names of a path: `[]`, `find` and `()`, `get` and `()`; null for anything else. */
export function stepInto(
  from: Declared,
  name: string,
  next: string | undefined,
  unfold: Unfold,
): Step | null {
  const { declared, type } = unfold(from);
  const inside = (text: string, taken: 1 | 2): Step => ({ value: { ...declared, text }, taken });
  const isCalled = next === plainResult;
  switch (type.is) {
    case 'list':
      if (name === elementOf) return inside(type.of, 1);
      if (isCalled && sameElements.has(name)) return unsure({ value: declared, taken: 2 }, name);
      if (isCalled && oneElement.has(name)) return unsure(inside(type.of, 2), name);
      return isElement(name, next) ? inside(type.of, 2) : null;
    case 'map':
      if (isCalled && name === 'get') return inside(type.of, 2);
      if (isCalled && name === 'values') return inside(`(${type.of})[]`, 2);
      return name === 'forEach' && isElement(name, next) ? inside(type.of, 2) : null;
    case 'record':
      return name === elementOf || /^[\w$]+$/.test(name) ? inside(type.of, 1) : null;
    default:
      return null;
  }
}

/** The compiler may infer a narrower type from what a function tests. */
function unsure({ value, taken }: Step, method: string): Step {
  return { value: narrowing.has(method) ? { ...value, exact: false } : value, taken };
}

/** The parameter of a function that gets each element: `map` and `(0,0)`. */
function isElement(name: string, next: string | undefined): boolean {
  const given = next === undefined ? null : readGivenParameter(next);
  return given?.argument === 0 && passesElement(name, given.parameter);
}
