import { compileGlobs } from '#lib/glob.ts';
import { Globs } from '#schema/glob.ts';
import type { GroundingPolicy } from '#schema/grounding.ts';
import { closing, maskCode } from './mask-code.ts';
import { isTestCode } from './test-path.ts';

/** Languages with the same test names: a test in one of a group may test a source in another. */
const families: readonly (readonly string[])[] = [
  ['ts', 'tsx', 'js', 'jsx', 'mts', 'mjs', 'cts', 'cjs', 'vue', 'svelte'],
  ['java', 'kt', 'kts', 'scala', 'groovy'],
  ['c', 'cc', 'cpp'],
  ...['py', 'go', 'rs', 'cs', 'fs', 'swift', 'php', 'rb', 'dart', 'ex', 'lua'].map((only) => [only]),
];
const familyByExtension = new Map(
  families.flatMap((family, index) => family.map((extension) => [extension, index] as const)),
);

/** Source files that need no test. */
const untested: readonly string[] = [
  '**/*.config.*',
  '**/*.conf.{js,cjs,mjs,ts}',
  '**/.eslintrc.*',
  '**/tsconfig*',
  '**/{setup,conftest,noxfile,manage}.{ts,js,py}',
  '**/setup.py',
  '**/*.d.{ts,mts,cts}',
  '**/types.{ts,tsx}',
  '**/types/*.{ts,tsx}',
  '**/{mod,lib,main,build}.rs',
  '**/__main__.py',
  '**/{alembic,migrations,seed,seeds,fixtures,generated,vendor,node_modules}/**',
  '**/graphql/types/**',
  '**/components/ui/**',
  '**/{page,layout,route,loading,error,not-found,template,default,global-error}.{ts,tsx,js,jsx}',
  '**/middleware.{ts,js}',
  '**/*.{mock,mocks,stories,fixture,fixtures}.{ts,tsx,js,jsx}',
  '**/*.{generated,gen}.*',
  '**/*{_pb2,_pb2_grpc}.py',
  '**/*.pb.go',
  'scripts/**',
  'bench/**',
  'examples/**',
];
const isUntested = compileGlobs(untested);

/** Whether a new file contains something a test could check. */
export function needsTest(path: string, text: string, policy: GroundingPolicy): boolean {
  if (!familyByExtension.has(extensionOf(path)) || isTestCode(path) || isUntested(path)) return false;
  if (compileGlobs(policy.untested)(path)) return false;
  return hasBehaviour(path, text);
}

/** Types, constants and re-exports alone have nothing to run; Rust has its tests in the same file. */
function hasBehaviour(path: string, text: string): boolean {
  const extension = extensionOf(path);
  if (familyByExtension.get(extension) === familyByExtension.get('ts') && !/^(vue|svelte)$/.test(extension))
    return /\b(function|class)\b|=>|\)\s*\{/.test(withoutTypes(maskCode(text, 'c')));
  if (extension === 'py') return /\b(def|class|lambda)\b/.test(maskCode(text, 'python'));
  if (extension === 'rs')
    return /\bfn\b/.test(maskCode(text, 'rust')) && !/#\[(\w+::)*(test|rstest)\b/.test(text);
  if (extension === 'go')
    return !/^\s*package\s+\w+\s*(?:func\s+main\(\)\s*\{\s*\}\s*)?$/.test(maskCode(text, 'go'));
  return text.trim() !== '';
}

/** Interfaces and type aliases may contain arrows and brackets. */
function withoutTypes(masked: string): string {
  let left = '';
  let at = 0;
  for (const { index, 0: head } of masked.matchAll(
    /\b(interface\s{1,200}\w{1,200}[^{;]{0,300}(?=\{)|type\s{1,200}\w{1,200}(<[^=]{0,300}>)?\s{0,200}=)/g,
  )) {
    if (index < at) continue;
    left += masked.slice(at, index);
    at = head.startsWith('type') ? endOfAlias(masked, index) : closing(masked, index + head.length);
  }
  return left + masked.slice(at);
}

function endOfAlias(masked: string, from: number): number {
  for (let at = from; at < masked.length; at++) {
    const character = masked[at];
    if (character === '{' || character === '(' || character === '[') at = closing(masked, at) - 1;
    else if (character === ';') return at + 1;
  }
  return masked.length;
}

/** Whether this test file, by its name and place, tests that source. */
export function isTestFor(test: string, source: string, policy: GroundingPolicy): boolean {
  const mapped = policy.testsFor.flatMap((mapping) => mappedTests(mapping, source));
  // A name inserted into a mapping may exceed the length limit of a glob.
  if (mapped.length > 0) return Globs.safeParse(mapped).success && compileGlobs(mapped)(test);
  if (familyByExtension.get(extensionOf(test)) !== familyByExtension.get(extensionOf(source))) return false;
  const folder = folderOf(source);
  if (extensionOf(source) === extensionOf(test) && folderOf(test) === folder && testsItsFolder(test))
    return true;
  if (subjectOf(test) !== stemOf(source).toLowerCase()) return false;
  const inner = folder === '' ? '' : `${folder}/`;
  return folderOf(test) === folder || /(^|\/)(__tests__|tests?|specs?)\//.test(rest(test, inner));
}

/** Below the source's own folder only the rest of the path counts, elsewhere the whole path. */
function rest(test: string, folder: string): string {
  return test.startsWith(folder) ? test.slice(folder.length) : test;
}

/** Tests that are part of a package, and see all of its files: in Go. */
export function testsItsFolder(test: string): boolean {
  return test.endsWith('_test.go');
}

/** The subject of a test, from its name: `user` for `user.test.ts`, `test_user.py`, `UserTest.java`. */
export function subjectOf(test: string): string {
  return stemOf(test)
    .replace(/\.(test|spec|e2e|cy)$/, '')
    .replace(/^test_|_test$|_spec$/, '')
    .replace(/(?<=[a-z0-9])(Tests?|Spec|IT)$/, '')
    .toLowerCase();
}

/** Matches `src/{dir}/{name}.ts` against a path, and fills the values into the patterns of its tests. */
function mappedTests({ source, tests }: GroundingPolicy['testsFor'][number], path: string): string[] {
  const pattern = source
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{dir\}\//, '(?<dir>(?:[^/]+/)*)')
    .replace(/\{name\}/, '(?<name>[^/]+?)')
    .replace(/\{ext\}/, '(?<ext>\\w+)');
  const found = new RegExp(`^${pattern}$`).exec(path)?.groups;
  if (!found) return [];
  return tests.map((test) =>
    test
      .replaceAll('{dir}/', found.dir ?? '')
      .replaceAll('{name}', found.name ?? '')
      .replaceAll('{ext}', found.ext ?? ''),
  );
}

function extensionOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** The name of a file without its folder and its last extension. */
export function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
