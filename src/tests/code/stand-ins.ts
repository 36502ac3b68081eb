import { escapePattern } from '#lib/escape-pattern.ts';
import { closing } from './mask-code.ts';
import type { Range } from './script-helpers.ts';
import type { ImportedName } from './test-case.ts';
import { subjectOf } from './tests-for.ts';

/** Replacements of the very thing a test calls. Faking what that thing uses is normal in tests. */

const spied =
  /\b(?:vi|jest|sinon|mock|t\.mock)\s*\.\s*(?:spyOn|stub|method|replace)\s*\(\s*(?<owner>[\w$]+)(?:\.prototype)?\s*,\s*["'`](?<name>[\w$]+)["'`]/g;
/** A spy that only observes changes nothing. */
const replaced =
  /^\s*\.\s*(?:mock(?!Clear|Name|Reset|Restore)\w+|returns\w*|callsFake|resolves|rejects|throws)\b/;

/** In scripts: a method imported from the module under test, replaced in a test that calls it. */
export function scriptStandIns(
  path: string,
  text: string,
  masked: string,
  imports: readonly ImportedName[],
  tests: readonly Range[],
): string[] {
  const own = new Set(
    imports.filter(({ from }) => subjectOf(fileOf(from)) === subjectOf(path)).map(({ name }) => name),
  );
  if (own.size === 0) return [];
  const assigned = new RegExp(
    `(?<![\\w$.])(?<owner>${[...own].map(escapePattern).join('|')})(?:\\.prototype)?\\.(?<name>[\\w$]+)\\s*=(?![=>])`,
    'g',
  );
  const found = [...text.matchAll(spied), ...masked.matchAll(assigned)];
  return found.flatMap(({ index, 0: head, groups }) => {
    const { owner = '', name = '' } = groups ?? {};
    if (!own.has(owner)) return [];
    const open = head.indexOf('(');
    const end = open < 0 ? -1 : closing(masked, index + open);
    const isReplaced =
      open < 0 ||
      /,[^,]*,/.test(masked.slice(index + open, end)) ||
      replaced.test(text.slice(end, end + 100));
    const { start, end: stop } = tests.find((test) => test.start < index && index < test.end) ?? {
      start: 0,
      end: text.length,
    };
    const isCalled = new RegExp(`\\.${escapePattern(name)}\\s*\\(`).test(masked.slice(start, stop));
    return isReplaced && isCalled ? [`${head.replace(/(?<!\s)\s*=$/, ' = …')}${open < 0 ? '' : ', …)'}`] : [];
  });
}

const patchedText =
  /\b(?:patch|setattr)\s*\(\s*["'](?<dotted>[\w.]+)["']|\bpatch\.dict\s*\(\s*["']?sys\.modules["']?\s*,\s*\{\s*["'](?<module>[\w.]+)["']/g;
const patchedObject = /\b(?:patch\.object|setattr)\s*\(\s*(?<owner>[\w.]+)\s*,\s*["'](?<name>\w+)["']/g;

/** A test with its decorators, or the code around all tests. */
export interface PythonPart {
  readonly patches: string;
  readonly calls: string;
}

/** In Python: a name of the module under test, patched in a test that calls it. */
export function pythonStandIns(
  path: string,
  imports: readonly ImportedName[],
  parts: readonly PythonPart[],
): string[] {
  const subject = subjectOf(path);
  const own = new Set(imports.filter(({ from }) => lastOf(from) === subject).map(({ name }) => name));
  return parts.flatMap(({ patches, calls }) => {
    const byText = [...patches.matchAll(patchedText)].flatMap(({ 0: head, groups }) => {
      const names = (groups?.dotted ?? groups?.module ?? '').split('.');
      const at = names.findIndex((each) => each.toLowerCase() === subject);
      const [first, second, ...deeper] = names.slice(at + 1);
      if (at < 0 || deeper.length > 0) return [];
      if (first === undefined) return [head];
      // `app.requests.get` is a dependency of the module, `app.Client.get` is part of it.
      if (second !== undefined && !/^[A-Z]/.test(first)) return [];
      return isCalledIn(calls, second ?? first) ? [head] : [];
    });
    const byObject = [...patches.matchAll(patchedObject)].flatMap(({ 0: head, groups }) => {
      const { owner = '', name = '' } = groups ?? {};
      const isOwn = lastOf(owner).toLowerCase() === subject || own.has(owner);
      return isOwn && isCalledIn(calls, name) ? [head] : [];
    });
    return [...byText, ...byObject].map((head) => `${head}, …)`);
  });
}

function isCalledIn(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w])${escapePattern(name)}\\s*\\(`).test(text);
}

function lastOf(dotted: string): string {
  return dotted.split('.').at(-1) ?? dotted;
}

/** The file name for a module specifier. */
function fileOf(specifier: string): string {
  return `x/${specifier}${/\.\w+$/.test(specifier) ? '' : '.ts'}`;
}
