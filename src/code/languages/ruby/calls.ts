import type { Parameter } from '#code/facts/facts.ts';
import { type Called, parameterOf } from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';

/** A block is not a parameter: every method accepts one. */
export function parametersOf(tree: SyntaxTree, list: NodeId): Parameter[] {
  return tree.children(list).flatMap((each): Parameter[] => {
    const name = tree.textOf(tree.kind(each) === 'identifier' ? each : tree.child(each, 'name'));
    const value = tree.child(each, 'value');
    const given = {
      required: value === none,
      default: value === none ? null : tree.textOf(value).slice(0, 80),
    };
    switch (tree.kind(each)) {
      case 'identifier':
      case 'optional_parameter':
        return [parameterOf(name, { ...given, kind: 'positional-only' })];
      case 'destructured_parameter':
        return [parameterOf('', { required: true, kind: 'positional-only' })];
      case 'keyword_parameter':
        return [parameterOf(name, { ...given, kind: 'keyword-only' })];
      case 'splat_parameter':
        return [parameterOf(name, { required: false, kind: 'rest' })];
      case 'hash_splat_parameter':
        return [parameterOf(name, { required: false, kind: 'keyword-rest' })];
      case 'forward_parameter':
        return [
          parameterOf('', { required: false, kind: 'rest' }),
          parameterOf('', { required: false, kind: 'keyword-rest' }),
        ];
      default:
        return [];
    }
  });
}

/** `User.new(…)` creates an instance of its receiver; every other call calls a method. */
export function callOf(tree: SyntaxTree, node: NodeId): Called | null {
  if (tree.kind(node) !== 'call') return null;
  const receiver = tree.child(node, 'receiver');
  const method = tree.child(node, 'method');
  const given = argumentsOf(tree, tree.child(node, 'arguments'));
  if (tree.textOf(method) === 'new' && /^(?:constant|scope_resolution)$/.test(tree.kind(receiver)))
    return { callee: receiver, kind: 'new', ...given };
  return { callee: receiver === none ? method : node, kind: 'call', ...given };
}

function argumentsOf(tree: SyntaxTree, list: NodeId): Omit<Called, 'callee' | 'kind'> {
  const keywords: string[] = [];
  let positional = 0;
  let spread = false;
  let keywordSpread = false;
  for (const each of tree.children(list))
    switch (tree.kind(each)) {
      case 'pair': {
        const key = tree.child(each, 'key');
        // `'name' => 1` is a key of a hash, and so is a computed key.
        if (tree.kind(key) === 'hash_key_symbol') keywords.push(tree.textOf(key));
        else if (tree.kind(key) === 'simple_symbol') keywords.push(tree.textOf(key).slice(1));
        else keywordSpread = true;
        break;
      }
      case 'splat_argument':
        spread = true;
        break;
      case 'hash_splat_argument':
        keywordSpread = true;
        break;
      case 'forward_argument':
      case 'forward_parameter':
        spread = true;
        keywordSpread = true;
        break;
      case 'block_argument':
      case 'block':
      case 'do_block':
        break;
      default:
        positional++;
    }
  return { positional, keywords, spread, keywordSpread };
}
