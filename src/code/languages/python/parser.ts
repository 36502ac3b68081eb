import { type GrammarParser, loadGrammar, type Parse } from '#code/languages/tree-sitter/grammar.ts';
import type { NodeId, TreeColumns } from '#code/languages/tree-sitter/syntax-tree.ts';
import { withoutDecoratorComments } from './decorator-comments.ts';
import { isFormattedString } from './tokens.ts';
import { withoutTypeDefaults } from './type-defaults.ts';

export type PythonParser = GrammarParser;

let loading: Promise<PythonParser> | undefined;

export function loadParser(): Promise<PythonParser> {
  loading ??= load();
  return loading;
}

async function load(): Promise<PythonParser> {
  const grammar = await loadGrammar('python', {
    leaves: leafKinds,
    fieldless: fieldlessKinds,
    skipped: new Set(['line_continuation']),
    isLeaf: isPlainString,
  });
  return { parse: (text) => parse(grammar, text) };
}

function parse(grammar: GrammarParser, text: string): Parse {
  const parsed = grammar.parse(text);
  if (parsed.broken === null) return parsed;
  const plainer = withoutWhatTheGrammarLacks(text);
  if (plainer === text) return parsed;
  const again = grammar.parse(plainer);
  return again.broken === null ? again : parsed;
}

/** The same text at the same offsets, with spaces for valid Python that the grammar rejects. */
function withoutWhatTheGrammarLacks(text: string): string {
  const plainer = withoutTypeDefaults(text) ?? text;
  return withoutDecoratorComments(plainer) ?? plainer;
}

const leafKinds = new Set(
  'identifier integer float true false none ellipsis string_start string_end'
    .split(' ')
    .concat('pass_statement', 'break_statement', 'continue_statement'),
);

const fieldlessKinds = new Set(
  'module block expression_statement argument_list parameters lambda_parameters list tuple set dictionary'
    .split(' ')
    .concat(
      'expression_list',
      'pattern_list',
      'tuple_pattern',
      'dotted_name',
      'type',
      'type_parameter',
      'generic_type',
    )
    .concat(
      'parenthesized_expression',
      'boolean_operator',
      'binary_operator',
      'comparison_operator',
      'not_operator',
    )
    .concat('unary_operator', 'conditional_expression', 'return_statement', 'string', 'concatenated_string'),
);

/** Strings are a tenth of all nodes; only formatted ones contain anything to read. */
function isPlainString(columns: TreeColumns, node: NodeId): boolean {
  return columns.kinds[node] === 'string' && !isFormattedString(columns.text, columns.starts[node] ?? 0);
}
