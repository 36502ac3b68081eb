import type { Facts, SyntaxProblem } from '#code/facts/facts.ts';
import { type Tokens, tokenize } from '#code/lex/tokens.ts';
import { type ThisOwner, thisOwners } from './class-context.ts';
import { type CommonJs, readCommonJs } from './commonjs.ts';
import { DefinitionPaths } from './definition-paths.ts';
import { inOrder, markRepeatedVars, readDefinitions } from './definitions.ts';
import { augmentedModules, uncheckedLines } from './directives.ts';
import { readExports } from './exports.ts';
import { readImports } from './imports.ts';
import { Lines } from './lines.ts';
import { findModuleLoads, type ModuleLoad } from './module-loads.ts';
import { Names } from './names.ts';
import { isNestedTooDeeply } from './nesting.ts';
import { parseText } from './parse-text.ts';
import type { Placed } from './placement.ts';
import { childrenIn, type Reading, type Variant } from './reading.ts';
import { Scopes } from './scopes.ts';
import { readSwitches } from './switches.ts';
import { FlatTree } from './tree/flat-tree.ts';
import { Kind, kindTable, Role } from './tree/grammar.ts';
import type { ParseProblem, Parser } from './tree/parser.ts';
import { readUses } from './uses.ts';

const tree = new FlatTree();

/** In UTF-16 units. A tree takes some thirty times the memory of its text. */
const largest = 20_000_000;

/** The facts of one file. Never throws: a file that cannot be parsed gets a `syntaxError`. */
export function extractFacts(
  text: string,
  variant: Variant,
  parsers: readonly Parser[],
  utf8?: Uint8Array,
): Facts {
  if (text.length > largest) return unreadable('too large to be source code');
  try {
    const tokens = tokenize(text);
    if (isNestedTooDeeply(tokens)) return unreadable('nested too deeply');
    const lines = new Lines(text);
    const problem = parseText(tree, text, variant, tokens, parsers, utf8);
    const names = new Names(text, tokens.codes, tree);
    const scopes = new Scopes(tree, names);
    const reading: Reading = {
      text,
      variant,
      tree,
      tokens: exactTokens(text, tokens),
      names,
      lines,
      scopes,
      thisOwners: ownersIn(tree),
    };
    return gather(reading, problem === null ? null : syntaxProblem(problem, lines, text));
  } catch (error) {
    return unreadable(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const noOwners: ReadonlyMap<number, ThisOwner> = new Map();

function ownersIn(read: FlatTree): ReadonlyMap<number, ThisOwner> {
  const hasOwners = read.contains(Kind.Class) && (read.contains(Kind.This) || read.contains(Kind.Super));
  return hasOwners ? thisOwners(read) : noOwners;
}

function gather(reading: Reading, syntaxError: SyntaxProblem | null): Facts {
  const statements = childrenIn(tree, 0, Role.statement);
  const loads = findModuleLoads(reading);
  const loaded = loads.length === 0 ? nothingLoaded : localsOf(loads);
  const isEsm = isEsModule(statements);
  const commonJs = isEsm ? noCommonjs : readCommonJs(reading, statements);
  const placed = inOrder(readDefinitions(reading, loaded, commonJs.definitions));
  markRepeatedVars(reading, placed);
  const paths = new DefinitionPaths(tree, placed);
  const { uses, comparisons, extended } = readUses(reading, placed, paths, loaded);
  openExtended(placed, extended);
  const unchecked = uncheckedLines(reading);
  const augments = augmentedModules(reading);
  return {
    syntaxError,
    module: isEsm ? 'esm' : commonJs.isUsed ? 'commonjs' : 'script',
    definitions: placed.map(({ definition }) => definition),
    imports: readImports(reading, loads, paths),
    exports: isEsm ? readExports(reading) : commonJs.exports,
    publicNames: null,
    uses,
    comparisons,
    switches: readSwitches(reading, placed),
    opaque: commonJs.opaque,
    duplicateKeys: [],
    ...(unchecked.length > 0 ? { unchecked } : {}),
    ...(augments.length > 0 ? { augments } : {}),
  };
}

const nothingLoaded: ReadonlySet<number> = new Set();

/** The identifiers that loaded modules are bound to. */
function localsOf(loads: readonly ModuleLoad[]): ReadonlySet<number> {
  return new Set(loads.map((load) => load.local).filter((local) => local >= 0));
}

const noCommonjs: CommonJs = { exports: [], definitions: [], opaque: [], isUsed: false };

/** A definition that gets members elsewhere in the file has more than it lists. */
function openExtended(placed: readonly Placed[], extended: ReadonlySet<string>): void {
  if (extended.size === 0) return;
  for (const { path, definition } of placed) {
    if (definition.members !== null && extended.has(path)) definition.members = { open: true };
  }
}

const moduleStatements = kindTable([
  Kind.Import,
  Kind.ExportDeclaration,
  Kind.ExportNames,
  Kind.ExportFrom,
  Kind.ExportDefault,
  Kind.ExportAll,
]);

/** `export =` makes a file CommonJS, whatever else it contains. */
function isEsModule(statements: readonly number[]): boolean {
  return (
    statements.some((node) => moduleStatements[tree.kind[node] as number] === 1) &&
    !statements.some((node) => tree.kind[node] === Kind.ExportAssignment)
  );
}

/**
 * A tokenizer cannot always distinguish a regular expression from a division, or text between tags from code. The tree can: where they
 * disagree, the tokens are read again with positions from the tree.
 */
function exactTokens(text: string, tokens: Tokens): Tokens {
  const { kind, start, end, verbatim } = tree;
  if (verbatim.length === 0 && tokens.regularExpressions === 0) return tokens;
  const whole: number[] = [];
  let regularExpressions = 0;
  let isExact = true;
  for (const node of verbatim) {
    const from = start[node] as number;
    const to = end[node] as number;
    if (kind[node] === Kind.RegExp) regularExpressions++;
    else if (misleading.test(text.slice(from, to))) isExact = false;
    else continue;
    whole.push(from, to);
  }
  if (isExact && regularExpressions === tokens.regularExpressions) return tokens;
  return tokenize(text, whole);
}

/** Characters that a tokenizer would take for the start of a string or comment. */
const misleading = /['"`/]/;

function syntaxProblem(problem: ParseProblem, lines: Lines, text: string): SyntaxProblem {
  const offset = Math.min(problem.offset, text.length);
  return { line: lines.line(offset), column: lines.column(offset), message: problem.message };
}

function unreadable(message: string): Facts {
  return {
    syntaxError: { line: 1, column: 1, message },
    module: 'script',
    definitions: [],
    imports: [],
    exports: [],
    publicNames: null,
    uses: [],
    switches: [],
    comparisons: [],
    opaque: [],
    duplicateKeys: [],
  };
}
