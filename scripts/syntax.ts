import { readFileSync } from 'node:fs';
import { loadGrammar } from '#code/languages/tree-sitter/grammar.ts';
import { none } from '#code/languages/tree-sitter/syntax-tree.ts';

/** Prints the tree-sitter nodes of a file with the names of its grammar: `npm run syntax -- bash install.sh`. */
const [grammar, file] = process.argv.slice(2);
if (grammar === undefined || file === undefined) {
  console.error('usage: npm run syntax -- <grammar> <file>');
  process.exit(3);
}
const { tree, broken } = (await loadGrammar(grammar)).parse(readFileSync(file, 'utf8'));
const depths: number[] = [];
for (let node = 0; node < tree.size; node++) {
  const parent = tree.parent(node);
  const depth = parent === none ? 0 : (depths[parent] ?? 0) + 1;
  depths.push(depth);
  const field = tree.field(node);
  const text = JSON.stringify(tree.textOf(node).slice(0, 60));
  console.log(`${'  '.repeat(depth)}${field === null ? '' : `${field}: `}${tree.kind(node)} ${text}`);
}
if (broken) console.log(`cannot be parsed at character ${broken.offset}: ${broken.message}`);
