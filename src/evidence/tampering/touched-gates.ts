import { type GateInput, gatePart } from '../gates/inputs.ts';
import type { Change, FileChange } from '../grounding/change.ts';
import { compilePathGlobs } from '../path-globs.ts';
import { readTests } from '../tests/read-tests.ts';
import { isTestFile } from '../tests/test-path.ts';
import { manifestChanges } from './package-scripts.ts';

export interface Tampering {
  /** Tells it from other things in the same file. */
  readonly what: string;
  readonly detail: string;
  readonly isLesser: boolean;
}

/** How changed files change what gates run; an empty list for a file that does not. */
export function touchedGates(change: Change): (file: FileChange) => Tampering[] {
  const kinds = Map.groupBy(change.gateInputs, ({ part, what }) => `${part} ${what}`);
  const inputs = [...kinds.values()].map(([first, ...more]) => ({
    ...(first as GateInput),
    matches: compilePathGlobs([first as GateInput, ...more].map(({ glob }) => glob)),
  }));
  const isProtected = compilePathGlobs(change.policy.protect);
  const at = (path: string, file: FileChange): Tampering[] => {
    if (isProtected(path)) return [whole('the project protects it')];
    return inputs
      .filter(({ matches }) => matches(path))
      .flatMap((input) => changeOf(input, path, file, change));
  };
  return (file) =>
    (file.path === file.oldPath ? [file.path] : [file.oldPath, file.path]).flatMap((path) => at(path, file));
}

function whole(detail: string): Tampering {
  return { what: 'file', detail, isLesser: false };
}

function changeOf({ part, what }: GateInput, path: string, file: FileChange, change: Change): Tampering[] {
  const { before, after } = file;
  if (what !== 'used by a gate' && isInNewFolder(path, change)) return [];
  if (part === 'package-settings') return manifestChanges(before, after);
  if (part !== 'whole') {
    const isSame = gatePart(part, before ?? '') === gatePart(part, after ?? '');
    return isSame ? [] : [{ what, detail: `its ${what} was changed`, isLesser: false }];
  }
  return isHarmless(path, file) || (what === 'used by a gate' && holdsTests(file)) ? [] : [whole(what)];
}

/** `node test.js`: what tests demand is looked at test by test. */
function holdsTests({ oldPath, before }: FileChange): boolean {
  if (before === null || !isTestFile(oldPath)) return false;
  return readTests(oldPath, before)?.cases.some(({ assertions }) => assertions.length > 0) ?? false;
}

/** Settings of a package that did not exist decide nothing about what did. */
function isInNewFolder(path: string, { base }: Change): boolean {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return folder !== '' && !base.isDirectory(folder);
}

/** Two files hold more than settings for tests: fixtures in the one, the build in the other. */
function isHarmless(path: string, { before, after, lines }: FileChange): boolean {
  if (/(^|\/)vite\.config\.\w+$/.test(path)) return !/\btest\s*:/.test(`${before}${after}`);
  if (!/(^|\/)conftest\.py$/.test(path)) return false;
  return ![...lines.added, ...lines.removed].some(({ text }) =>
    /\bpytest_\w+|collect_ignore|\bskip\b|xfail|autouse|sys\.exit|os\._exit/.test(text),
  );
}
