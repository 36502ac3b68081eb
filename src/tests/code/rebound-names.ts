import { isKnownMatcher } from './assertion-strength.ts';
import type { Range } from './script-helpers.ts';
import { type PythonPart, pythonStandIns, scriptStandIns } from './stand-ins.ts';
import type { Bindings } from './test-case.ts';
import { subjectOf } from './tests-for.ts';

/** What names mean in a test script, and how it changes its test tools and the module under test. */
export function scriptBindings(
  path: string,
  text: string,
  masked: string,
  tests: readonly Range[],
): Bindings {
  const imported = [
    ...text.matchAll(
      /^[ \t]{0,50}import\s(?:\s{0,20}type\s)?([^;'"()]{0,1000}?)\sfrom\s{0,20}["']([^"'\n]{1,500})["']/gm,
    ),
    ...text.matchAll(
      /\b(?:const|let|var)\s([^=;()]{1,500})=\s{0,20}(?:await\s{1,20}import|require)\s{0,20}\(\s{0,20}["'`]([^"'`\n]{1,500})["'`]/g,
    ),
  ].flatMap(([, names = '', from = '']) => namesIn(names).map((name) => ({ name, from })));
  const declared = [
    ...masked.matchAll(
      /\b(?:const|let|var)\s+([\w$]+|[{[][^=;]{0,300}?[}\]])\s*(?::[^=;\n]{0,300})?=(?!=|\s*(?:await\s+)?(?:import|require|vi\.|jest\.))|\b(?:function\*?|class)\s+([\w$]+)/g,
    ),
  ].flatMap(([, names, name]) => name ?? namesIn(names ?? ''));
  const tricks = [...tricksIn(path, text, masked), ...scriptStandIns(path, text, masked, imported, tests)];
  const made = [...masked.matchAll(remade)].map(([, given, named]) => given ?? named ?? '');
  const runner = new Set([...masked.matchAll(runnerWord)].map(([word]) => word));
  return { imported, declared, runner: [...runner], remade: made, tricks };
}

/** `a, { b as c }` and `{ b: c = 1 }` bind a and c. */
function namesIn(list: string): string[] {
  return list
    .replace(/[{}[\]]/g, ',')
    .split(',')
    .flatMap(
      (each) =>
        /(?<![\w$])([\w$]+)\s{0,200}(?:=.*)?$/.exec(each.replace(/^\s*type\s+/, '').trim())?.[1] ?? [],
    );
}

function tricksIn(path: string, text: string, masked: string): string[] {
  const assigned = masked.matchAll(
    /(?<![\w$.])(?:assert|expect|chai|should)(?:\.[\w$]+)+\s*=(?![=>])|\bObject\.(?:assign|definePropert(?:y|ies))\s*\(\s*(?:assert|expect|chai)\b/g,
  );
  const mocked = text.matchAll(
    /\b(?:vi|jest|mock|t\.mock)\.(?:mock|doMock|unstable_mockModule|module|setMock)\s*\(\s*(?:import\s*\(\s*)?["'`]([^"'`]+)["'`]/g,
  );
  const extended = [...masked.matchAll(/\bexpect\.extend\s*\(\s*\{([\s\S]{0,2000})/g)].flatMap(
    ([, inner = '']) =>
      [...inner.matchAll(/(?<![\w$.])([\w$]+)\s*(?=[(:])/g)].flatMap(([, name = '']) =>
        isKnownMatcher(name) ? [`expect.extend({ ${name} })`] : [],
      ),
  );
  return [
    ...[...masked.matchAll(/\bprocess\.(?:exit|reallyExit|abort)\s*\(\s*(?:0\s*)?\)/g)].map(([each]) => each),
    ...[...assigned].map(([each]) => each.replace(/(?<!\s)\s*=$/, ' = …').trim()),
    ...[...mocked].flatMap(([each, module = '']) =>
      subjectOf(`x/${module}${/\.\w+$/.test(module) ? '' : '.ts'}`) === subjectOf(path)
        ? [`${each}, …)`]
        : [],
    ),
    ...extended,
  ];
}

/** The same for Python, where a module can be replaced before it is loaded. `parts` are its tests. */
export function pythonBindings(
  path: string,
  text: string,
  masked: string,
  parts: readonly PythonPart[],
): Bindings {
  const imported = [
    ...masked.matchAll(/^[ \t]*from\s+([\w.]+)\s+import\s+(?:\(([\w\s,.]+)\)[ \t]*|([\w,.][\w \t,.]*))$/gm),
  ].flatMap(([, from = '', several, names = several ?? '']) =>
    namesIn(names).map((name) => ({ name, from })),
  );
  const modules = [...masked.matchAll(/^[ \t]*import\s+([\w.]+)(?:\s+as\s+(\w+))?[ \t]*$/gm)].map(
    ([, from = '', name = from]) => ({ name, from }),
  );
  const declared = [
    ...masked.matchAll(/^[ \t]*(?:(?:async\s+)?def|class)\s+(\w+)|^[ \t]*(\w+)\s*=(?!=)/gm),
  ].map(([, defined, assigned]) => defined ?? assigned ?? '');
  const tricks = [
    ...text.matchAll(/\bsys\.modules\[(?:[^\][\n]|\[[^\][\n]*\])+\]\s*=(?!=)|\bsetitem\(\s*sys\.modules\b/g),
  ];
  return {
    imported: [...imported, ...modules],
    declared,
    runner: [],
    remade: [],
    tricks: [
      ...tricks.map(([each]) => each.trim()),
      ...pythonStandIns(path, [...imported, ...modules], parts),
    ],
  };
}

/** Redefined globals of a test runner; `const expect = chai.expect` is allowed. */
const remade =
  /\b(?:const|let|var)\s+(test|it|describe|suite|expect|assert)\s*(?::(?:(?!\b(?:const|let|var)\s)[^=;\n])*)?=\s*(?:async\s*)?(?:\(|[\w$]+\s*=>|function\b)|\bfunction\s+(test|it|describe|suite|expect|assert)\s*\(/g;

const runnerWord = /(?<![\w$.])(?:test|it|describe|suite|expect|assert)(?=\s*[.(])/g;

/** How a change makes tests check something else than before; `before` is null for a new file. */
export function reboundNames(before: Bindings | null, after: Bindings): string[] {
  const looked = new Set(before?.imported.map(({ name }) => name));
  const rebound = more(before?.declared ?? [], after.declared).filter((name) => looked.has(name));
  const made = before ? more(before.remade, after.remade).filter((name) => before.runner.includes(name)) : [];
  return [
    ...new Set([
      ...rebound.map((name) => `gives the imported name ${name} another meaning`),
      ...made.map((name) => `gives ${name} of its test runner another meaning`),
    ]),
    ...more(before?.tricks ?? [], after.tricks).map(
      (trick) => `replaces what it tests, or tests with: ${trick}`,
    ),
  ];
}

function more(before: readonly string[], after: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const each of before) left.set(each, (left.get(each) ?? 0) + 1);
  return after.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count <= 0;
  });
}
