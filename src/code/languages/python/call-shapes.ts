import type { CallShape } from '#code/facts/facts.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { fateOf } from './call-results.ts';
import { stringValue } from './expressions.ts';

/** `field`: the field with the arguments; for a class statement it is `superclasses`. */
export function callShape(
  tree: SyntaxTree,
  call: NodeId,
  field: 'arguments' | 'superclasses' = 'arguments',
): CallShape {
  const args = tree.child(call, field);
  const awaited = tree.kind(tree.parent(call)) === 'await';
  if (tree.kind(args) === 'generator_expression')
    return { ...noArguments, positional: 1, awaited, ...fateOf(tree, call) };
  const keywords: string[] = [];
  const objects: CallShape['objects'][number][] = [];
  let positional = 0;
  let spread = false;
  let keywordSpread = false;
  for (const argument of args === none ? [] : tree.children(args)) {
    switch (tree.kind(argument)) {
      case 'keyword_argument':
        keywords.push(tree.textOf(tree.child(argument, 'name')));
        break;
      case 'list_splat':
      case 'parenthesized_list_splat':
        spread = true;
        break;
      case 'dictionary_splat':
        keywordSpread = true;
        break;
      case 'dictionary':
        if (!spread) objects.push({ index: positional, ...dictionaryKeys(tree, argument) });
        if (!spread) positional++;
        break;
      default:
        if (!spread) positional++;
    }
  }
  return { positional, keywords, spread, keywordSpread, objects, awaited, ...fateOf(tree, call) };
}

const noArguments: CallShape = {
  positional: 0,
  keywords: [],
  spread: false,
  keywordSpread: false,
  objects: [],
  awaited: false,
  result: 'other',
  unpacked: null,
};

function dictionaryKeys(tree: SyntaxTree, dictionary: NodeId): { keys: string[]; open: boolean } {
  const keys: string[] = [];
  let open = false;
  for (const entry of tree.children(dictionary)) {
    const key = tree.kind(entry) === 'pair' ? stringValue(tree, tree.child(entry, 'key')) : null;
    if (key === null) open = true;
    else keys.push(key);
  }
  return { keys, open };
}
