import { type Node, parseTree } from 'jsonc-parser';

/** The part of a tsconfig that a compiler gets. */
export interface ReducedConfig {
  /** The remaining text keeps its position, so that diagnostics have the right location. */
  readonly text: string;
  /** The same with an error in place of what it extends. */
  readonly withoutBase: string;
  /** Config files that it names, as written. */
  readonly extended: readonly string[];
  readonly referenced: readonly string[];
}

/** Options that a checker needs. Options that write files, flood the output or load code are not among them. */
export const compilerOptions: ReadonlySet<string> = new Set([
  ...['allowArbitraryExtensions', 'allowImportingTsExtensions', 'allowJs', 'allowSyntheticDefaultImports'],
  ...['allowUmdGlobalAccess', 'allowUnreachableCode', 'allowUnusedLabels', 'alwaysStrict', 'baseUrl'],
  ...[
    'charset',
    'checkJs',
    'composite',
    'customConditions',
    'declaration',
    'declarationDir',
    'declarationMap',
  ],
  ...['disableReferencedProjectLoad', 'disableSizeLimit', 'disableSolutionSearching'],
  ...['disableSourceOfProjectReferenceRedirect', 'downlevelIteration', 'emitBOM', 'emitDeclarationOnly'],
  ...['emitDecoratorMetadata', 'erasableSyntaxOnly', 'esModuleInterop', 'exactOptionalPropertyTypes'],
  ...['experimentalDecorators', 'forceConsistentCasingInFileNames', 'ignoreDeprecations', 'importHelpers'],
  ...['importsNotUsedAsValues', 'incremental', 'inlineSourceMap', 'inlineSources', 'isolatedDeclarations'],
  ...['isolatedModules', 'jsx', 'jsxFactory', 'jsxFragmentFactory', 'jsxImportSource', 'keyofStringsOnly'],
  ...['lib', 'libReplacement', 'mapRoot', 'maxNodeModuleJsDepth', 'module', 'moduleDetection'],
  ...['moduleResolution', 'moduleSuffixes', 'newLine', 'noCheck', 'noEmit', 'noEmitHelpers', 'noEmitOnError'],
  ...['noErrorTruncation', 'noFallthroughCasesInSwitch', 'noImplicitAny', 'noImplicitOverride'],
  ...[
    'noImplicitReturns',
    'noImplicitThis',
    'noImplicitUseStrict',
    'noLib',
    'noPropertyAccessFromIndexSignature',
  ],
  ...['noResolve', 'noStrictGenericChecks', 'noUncheckedIndexedAccess', 'noUncheckedSideEffectImports'],
  ...['noUnusedLocals', 'noUnusedParameters', 'out', 'outDir', 'outFile', 'paths', 'preserveConstEnums'],
  ...['preserveSymlinks', 'preserveValueImports', 'reactNamespace', 'removeComments', 'resolveJsonModule'],
  ...['resolvePackageJsonExports', 'resolvePackageJsonImports', 'rewriteRelativeImportExtensions', 'rootDir'],
  ...['rootDirs', 'skipDefaultLibCheck', 'skipLibCheck', 'sourceMap', 'sourceRoot', 'stableTypeOrdering'],
  ...[
    'strict',
    'strictBindCallApply',
    'strictBuiltinIteratorReturn',
    'strictFunctionTypes',
    'strictNullChecks',
  ],
  ...['strictPropertyInitialization', 'stripInternal', 'suppressExcessPropertyErrors'],
  ...['suppressImplicitAnyIndexErrors', 'target', 'typeRoots', 'types', 'useDefineForClassFields'],
  ...['useUnknownInCatchVariables', 'verbatimModuleSyntax'],
]);

/** Which keys an object may have; null: any. By the path of the object, `*` for the items of a list. */
const keysAt: Readonly<Record<string, ReadonlySet<string> | null>> = {
  '': new Set(['extends', 'files', 'include', 'exclude', 'references', 'compilerOptions']),
  '/compilerOptions': compilerOptions,
  '/compilerOptions/paths': null,
  '/references/*': new Set(['path', 'prepend', 'circular']),
};

/** Longer than any real config file. */
const mostText = 1024 * 1024;

/** A text that compilers report as an error wherever they expect a value or a name. */
const error = '?';

/**
 * A tsconfig with only what a checker needs, without comments. A file that is not valid JSON stays invalid: the
 * compiler reports an error where we found one.
 */
export function reduceConfig(text: string): ReducedConfig {
  const errors: { offset: number }[] = [];
  const tree = text.length > mostText ? undefined : treeOf(text, errors);
  const [first] = errors;
  if (tree?.type !== 'object' || first) {
    const broken = withTokens(text, [[first?.offset ?? 0, error]]);
    return { text: broken, withoutBase: broken, extended: [], referenced: [] };
  }
  const tokens: Token[] = [];
  write(tree, '', tokens);
  const reduced = withTokens(text, tokens);
  const { extends: base, references } = JSON.parse(reduced) as { extends?: unknown; references?: unknown };
  const value = tree.children?.find(({ children }) => children?.[0]?.value === 'extends')?.children?.[1];
  const isBase = ([offset]: Token) =>
    value !== undefined && offset >= value.offset && offset < value.offset + value.length;
  const others = tokens.filter((token) => !isBase(token));
  const withoutBase = withTokens(text, others, value && [value.offset, error]);
  return { text: reduced, withoutBase, extended: stringsIn(base), referenced: stringsIn(references) };
}

function treeOf(text: string, errors: { offset: number }[]): Node | undefined {
  try {
    return parseTree(text, errors as Parameters<typeof parseTree>[1], { allowTrailingComma: true });
  } catch {
    // Nested too deeply for our stack.
    return undefined;
  }
}

type Token = readonly [offset: number, text: string];

/** Writes a value at its position; false when it is left out. */
function write(node: Node, path: string, tokens: Token[]): boolean {
  const start = node.offset;
  const last = node.offset + node.length - 1;
  switch (node.type) {
    case 'object':
    case 'array': {
      if (node.type === 'object' && keysAt[path] === undefined) return false;
      tokens.push([start, node.type === 'object' ? '{' : '[']);
      let before: number | null = null;
      for (const child of node.children ?? []) {
        const inner: Token[] = [];
        const isKept =
          node.type === 'object' ? writeProperty(child, path, inner) : write(child, `${path}/*`, inner);
        if (!isKept) continue;
        // In a valid file there is something between two of them: at least a comma.
        if (before !== null) tokens.push([before, ',']);
        tokens.push(...inner);
        before = child.offset + child.length;
      }
      tokens.push([last, node.type === 'object' ? '}' : ']']);
      return true;
    }
    case 'string':
      if (!isPlain(node.value as string)) return false;
      tokens.push([start, JSON.stringify(node.value)]);
      return true;
    case 'number':
      if (!/^-?\d{1,9}$/.test(String(node.value)) || String(node.value).length > node.length) return false;
      tokens.push([start, String(node.value)]);
      return true;
    case 'boolean':
    case 'null':
      tokens.push([start, String(node.value ?? null)]);
      return true;
    default:
      return false;
  }
}

function writeProperty({ children = [], colonOffset }: Node, path: string, tokens: Token[]): boolean {
  const [key, value] = children;
  if (!key || !value || colonOffset === undefined) return false;
  const name = key.value as string;
  const allowed = keysAt[path];
  if (allowed ? !allowed.has(name) : !isPlain(name)) return false;
  const inner: Token[] = [];
  if (!write(value, allowed ? `${path}/${name}` : `${path}/*`, inner)) return false;
  tokens.push([key.offset, JSON.stringify(name)], [colonOffset, ':'], ...inner);
  return true;
}

/** Without characters that end lines or shift the following text. */
function isPlain(text: string): boolean {
  return !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);
}

/** These tokens at their positions, and otherwise only line ends. */
function withTokens(text: string, tokens: readonly Token[], another?: Token): string {
  const blank = text.replace(/[\u2028\u2029]/g, '\n').replace(/[^\r\n]/g, ' ');
  const all = another ? [...tokens, another].sort(([a], [b]) => a - b) : tokens;
  let written = '';
  for (const [offset, token] of all) written += blank.slice(written.length, offset) + token;
  return written + blank.slice(written.length);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return typeof value === 'object' && value !== null ? stringsIn((value as { path?: unknown }).path) : [];
}
