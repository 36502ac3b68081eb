import { childIn, type Variant } from '#code/languages/typescript/reading.ts';
import type { FlatTree } from '#code/languages/typescript/tree/flat-tree.ts';
import { Kind, Role } from '#code/languages/typescript/tree/grammar.ts';
import { type Edit, operatorBetween, otherNumber, swapped } from './edit.ts';
import { scriptTree } from './script-tree.ts';

/** Types have no effect at run time, and module names are not values. */
const idleRoles = new Set([
  Role.type,
  Role.typeArgument,
  Role.returns,
  Role.typeParameter,
  Role.constraint,
  Role.implements,
  Role.source,
]);
const idleKinds = new Set([Kind.Interface, Kind.TypeAlias, Kind.Import, Kind.ExportAll, Kind.ExportFrom]);

/** Every edit of a TypeScript or JavaScript text, in order; null if it does not parse. */
export async function scriptEdits(text: string, variant: Variant): Promise<Edit[] | null> {
  const tree = await scriptTree(text, variant);
  if (tree === null) return null;
  const edits: Edit[] = [];
  for (let node = 0; node < tree.count; ) {
    const isIdle = idleRoles.has(tree.role[node] as number) || idleKinds.has(tree.kind[node] as number);
    if (!isIdle) edits.push(...editsAt(tree, text, node));
    node = isIdle ? (tree.after[node] as number) : node + 1;
  }
  return edits;
}

function editsAt(tree: FlatTree, text: string, node: number): Edit[] {
  const start = tree.start[node] as number;
  const end = tree.end[node] as number;
  const kind = tree.kind[node];
  const whole = (becomes: string): Edit[] => [{ start, end, becomes }];
  switch (kind) {
    case Kind.Binary:
    case Kind.Logical:
    case Kind.Assignment:
      return [...operatorEdits(tree, text, node), ...resultEdits(tree, text, node)];
    case Kind.Update: {
      const written = text.slice(start, end);
      return [
        { start, end, becomes: written.replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++')) },
        ...resultEdits(tree, text, node),
      ];
    }
    case Kind.Number: {
      const becomes = otherNumber(text.slice(start, end));
      return [...(becomes === null ? [] : whole(becomes)), ...resultEdits(tree, text, node)];
    }
    case Kind.String:
      return [...stringEdits(tree, text, node), ...resultEdits(tree, text, node)];
    case Kind.Template:
      return [...(end - start > 2 ? whole('``') : []), ...resultEdits(tree, text, node)];
    case Kind.Other: {
      const written = text.slice(start, Math.min(end, start + 6));
      if (end - start <= 5 && (written === 'true' || written === 'false'))
        return [...whole(written === 'true' ? 'false' : 'true'), ...resultEdits(tree, text, node)];
      return /^throw\b/.test(written) ? whole(';') : resultEdits(tree, text, node);
    }
    case Kind.ExpressionStatement:
      return removedCall(tree, node);
    default:
      return resultEdits(tree, text, node);
  }
}

function operatorEdits(tree: FlatTree, text: string, node: number): Edit[] {
  const [left, right] = [childIn(tree, node, Role.left), childIn(tree, node, Role.right)];
  if (left < 0 || right < 0) return [];
  const found = operatorBetween(text, tree.end[left] as number, tree.start[right] as number, 'script');
  const becomes = found && swapped(found.written);
  return found && becomes ? [{ start: found.start, end: found.end, becomes }] : [];
}

/** Edits of a node used as a condition or as the result of a function. */
function resultEdits(tree: FlatTree, text: string, node: number): Edit[] {
  const [start, end] = [tree.start[node] as number, tree.end[node] as number];
  const parent = tree.parent[node] as number;
  const role = tree.role[node];
  const above = node === 0 ? -1 : tree.kind[parent];
  if (role === Role.test) {
    const condition = text.slice(start, end);
    if (above === Kind.If || above === Kind.Conditional)
      return [
        { start, end, becomes: tree.kind[node] === Kind.Unary ? negated(condition) : `!(${condition})` },
      ];
    // A negated loop might never end.
    if (above === Kind.While || above === Kind.For) return [{ start, end, becomes: 'false' }];
  }
  const isResult =
    (role === Role.operand && above === Kind.Return) ||
    (role === Role.body && above === Kind.Arrow && tree.kind[node] !== Kind.FunctionBody);
  if (!isResult) return [];
  const written = text.slice(start, end);
  return written === 'undefined' || /^void\b/.test(written) ? [] : [{ start, end, becomes: 'undefined' }];
}

function negated(condition: string): string {
  return condition.startsWith('!') ? `!!(${condition.slice(1)})` : `!(${condition})`;
}

/** Skips keys, directives and tags: tests do not see their text. */
function stringEdits(tree: FlatTree, text: string, node: number): Edit[] {
  const [start, end] = [tree.start[node] as number, tree.end[node] as number];
  const role = tree.role[node];
  if (role === Role.key || role === Role.imported || role === Role.exported) return [];
  const quote = text[start] ?? "'";
  return [{ start, end, becomes: end - start > 2 ? quote + quote : `${quote}mutant${quote}` }];
}

/** Removes a call without a used result; `super()` and `import()` must stay for the program to run. */
function removedCall(tree: FlatTree, node: number): Edit[] {
  const whole = childIn(tree, node, Role.expression);
  if (whole < 0) return [];
  const call = tree.kind[whole] === Kind.Await ? childIn(tree, whole, Role.operand) : whole;
  if (call < 0 || tree.kind[call] !== Kind.Call) return [];
  const callee = childIn(tree, call, Role.callee);
  if (callee >= 0 && tree.kind[callee] === Kind.Super) return [];
  return [{ start: tree.start[whole] as number, end: tree.end[whole] as number, becomes: 'undefined' }];
}
