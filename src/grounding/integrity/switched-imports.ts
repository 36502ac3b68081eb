import { posix } from 'node:path';
import type { Change, FileChange, Paths } from '#grounding/change/change.ts';
import { escapePattern } from '#lib/escape-pattern.ts';
import type { Bindings, TestFile } from '#tests/code/test-case.ts';
import { isTestCode } from '#tests/code/test-path.ts';
import { isTestFor, stemOf } from '#tests/code/tests-for.ts';

/**
 * Imports of a test file that now come from a file made for the test, while the module that was tested still has those
 * names. Following a module that was moved, split or wrapped is fine.
 */
export function switchedImports(
  file: FileChange,
  before: Bindings,
  after: TestFile,
  change: Change,
): string[] {
  const now = new Map((after.bindings?.imported ?? []).map(({ name, from }) => [name, from]));
  return before.imported.flatMap(({ name, from }) => {
    const next = now.get(name);
    if (next === undefined || next === from) return [];
    const old = moduleAt(file.oldPath, from, change.base);
    const target = moduleAt(file.path, next, change.tip) ?? loadedAs(file.path, next, change);
    if (old === null || target === null || isTestCode(old) || !change.tip.has(old)) return [];
    if (target === old || !isMadeFor(target, change)) return [];
    const isTested =
      isTestFor(file.oldPath, old, change.policy) ||
      after.cases.some(({ assertions }) => assertions.some(({ subject }) => calls(subject, name)));
    if (!isTested || !offers(old, name, change) || passesOn(target, old, name, change)) return [];
    return [`takes ${name} from ${target} now, and ${old} still has it`];
  });
}

const endings = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '.cts', '.cjs', '/index.ts', '/index.js'];

/** The file of the repository that a specifier names; null for packages and for what only settings can resolve. */
function moduleAt(from: string, specifier: string, { has }: Paths): string | null {
  const folder = posix.dirname(from);
  if (from.endsWith('.py')) return pythonModule(folder, specifier, has);
  if (!/^\.{1,2}(\/|$)/.test(specifier)) return null;
  const path = posix.join(folder, specifier);
  const stem = path.replace(/\.([cm]?)jsx?$/, '');
  return [path, ...endings.flatMap((ending) => [path + ending, stem + ending])].find(has) ?? null;
}

function pythonModule(folder: string, specifier: string, has: Paths['has']): string | null {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const path = specifier.slice(dots).replaceAll('.', '/');
  const up = posix.join(folder, '../'.repeat(Math.max(0, dots - 1)));
  const roots = dots > 0 ? [up] : [folder, '.', 'src', 'lib', posix.dirname(folder)];
  const files = roots.flatMap((root) =>
    [`${path}.py`, `${path}/__init__.py`].map((each) => posix.join(root, each)),
  );
  return files.find(has) ?? null;
}

/** The target of an alias, from the module graph. */
function loadedAs(test: string, specifier: string, { imports }: Change): string | null {
  const stem = stemOf(specifier);
  return imports.loads.get(test)?.find((path) => stemOf(path) === stem) ?? null;
}

/** A file among the tests, or one that did not exist before. */
function isMadeFor(target: string, { base }: Change): boolean {
  return isTestCode(target) || !base.has(target);
}

function calls(subject: string, name: string): boolean {
  return new RegExp(`(?<![\\w$.])${escapePattern(name)}\\s*[.(]`).test(subject);
}

/** Whether a module of the tip defines a name itself. An unchanged one still has what it had. */
function offers(path: string, name: string, { files }: Change): boolean {
  const file = files.find((each) => each.path === path);
  if (!file) return true;
  const word = escapePattern(name);
  const defined = new RegExp(
    `\\b(?:function\\*?|class|const|let|var|def)\\s+${word}\\b|^${word}\\s*=|\\bexport\\s+default\\b`,
    'm',
  );
  return defined.test(file.after ?? '');
}

/** A module that re-exports a name of another one. */
function passesOn(target: string, old: string, name: string, { files }: Change): boolean {
  const text = files.find(({ path }) => path === target)?.after ?? '';
  const module = escapePattern(stemOf(old) === 'index' ? stemOf(posix.dirname(old)) : stemOf(old));
  const from = `["'][^"'\\n]*\\b${module}(?:\\.\\w+)?["']`;
  return new RegExp(
    `\\bexport\\s*(?:\\*|\\{(?=[^{}]*\\b${escapePattern(name)}\\b)[^{}]*\\})\\s*from\\s*${from}|^from\\s+[\\w.]*\\b${module}\\s+import\\b[^\\n]*(?:\\*|\\b${escapePattern(name)}\\b)`,
    'm',
  ).test(text);
}
