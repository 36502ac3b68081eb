import { asObject, asString } from '#lib/json-value.ts';
import { parseJson } from '#lib/parse-json.ts';
import { type JunitCase, junitCases } from './readers/junit.ts';
import { distinct } from './readers/reading.ts';

/** One test that a runner names. */
interface TestCase {
  /** `test/cart.test.js > cart > adds up`: the same on every tree. */
  readonly id: string;
  /** Null: the runner does not say it. */
  readonly file: string | null;
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
}

/** What a runner reports of its cases. */
export interface CaseReport {
  readonly cases: readonly TestCase[];
  /** Test files that could not be loaded: nothing in them ran. */
  readonly unloaded: readonly { readonly file: string; readonly reason: string }[];
}

export const noCases: CaseReport = { cases: [], unloaded: [] };

type Found = Omit<TestCase, 'id'> & { readonly path: readonly string[]; readonly message: string };

/** The cases of JUnit files; `root`: the folder in which they ran. */
export function casesOfJunit(files: readonly string[], root: string): CaseReport {
  return reportOf(files.flatMap((xml) => junitCases(xml).map((each) => foundIn(each, root))));
}

function foundIn({ name, classname, file, suites, outcome, message }: JunitCase, root: string): Found {
  const said = file === '' && /\.[cm]?[jt]sx?$/.test(classname) ? classname : file;
  const own = said === '' ? null : inside(said, root);
  // Runners repeat the suites in the class name, or write `test` for all.
  const named = withoutModule(classname, own);
  const path = named === '' || named === 'test' || suites.includes(named) ? suites : [named];
  return {
    file: own,
    title: inside(name, root),
    path: path.map((each) => inside(each, root)).filter((each) => each !== own && each !== 'pytest'),
    outcome,
    message,
  };
}

/** pytest puts the module before the class: `tests.test_cart.TestTotal` of `tests/test_cart.py`. */
function withoutModule(classname: string, file: string | null): string {
  const module = file?.replace(/\.py$/, '').replaceAll('/', '.') ?? '';
  if (module === '' || classname === module) return classname === module ? '' : classname;
  return classname.startsWith(`${module}.`) ? classname.slice(module.length + 1) : classname;
}

/** The cases of a document as `jest --json` writes it. */
export function casesOfJest(json: string, root: string): CaseReport {
  const { testResults } = asObject(parseJson(json));
  const files = Array.isArray(testResults) ? testResults.map(asObject) : [];
  return reportOf(
    files.flatMap((each): Found[] => {
      const file = inside(asString(each.name) ?? '', root);
      const results = Array.isArray(each.assertionResults) ? each.assertionResults.map(asObject) : [];
      const message = (asString(each.message) ?? '').trim().split('\n').find(saysWhy) ?? '';
      if (results.length === 0 && each.status === 'failed')
        return [{ file, title: file, path: [], outcome: 'failed', message }];
      return results.map((result) => ({
        file,
        title: asString(result.title) ?? '',
        path: Array.isArray(result.ancestorTitles) ? result.ancestorTitles.map(String) : [],
        outcome: result.status === 'passed' ? 'passed' : result.status === 'failed' ? 'failed' : 'skipped',
        message: '',
      }));
    }),
  );
}

const saysWhy = (line: string) => /error|cannot find/i.test(line);

/** Names that the output for people has. */
export function casesOfNames(passing: readonly string[], failing: readonly string[]): CaseReport {
  const plain = (outcome: 'passed' | 'failed') => (id: string) => ({ id, file: null, title: id, outcome });
  return { cases: [...passing.map(plain('passed')), ...failing.map(plain('failed'))], unloaded: [] };
}

function reportOf(found: readonly Found[]): CaseReport {
  const isUnloaded = ({ outcome, file, title, path, message }: Found) =>
    outcome === 'failed' &&
    (message === 'collection failure' ||
      title === file ||
      (file === null && path.length === 0 && isScript(title)));
  const cases = found.filter((each) => !isUnloaded(each));
  const ids = distinct(
    cases.map(({ file, path, title }) => [...(file === null ? [] : [file]), ...path, title].join(' > ')),
  );
  return {
    cases: cases.map(({ file, title, outcome }, index) => ({
      id: ids[index] ?? title,
      file,
      title,
      outcome,
    })),
    unloaded: found.filter(isUnloaded).map(({ file, title, message }) => ({
      file: file ?? title,
      reason: /^(test failed|collection failure)$/.test(message) ? '' : message,
    })),
  };
}

/** node names a test file that could not be loaded like a test. */
const isScript = (title: string) => /^\S+\.[cm]?[jt]sx?$/.test(title);

function inside(path: string, root: string): string {
  return path.replace(/^file:\/\//, '').replaceAll(`${root}/`, '');
}
