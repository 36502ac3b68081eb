import { type GateInput, gatePart } from '#gates/definitions/inputs.ts';
import type { Change, FileChange } from '#grounding/change/change.ts';
import { compileGlobs } from '#lib/glob.ts';
import { isFixture, isTestCode, isTestFile } from '#tests/code/test-path.ts';
import { testsIn } from './changed-tests.ts';
import { manifestChanges } from './package-scripts.ts';

export interface Tampering {
  /** Distinguishes it from other problems in the same file. */
  readonly what: string;
  readonly detail: string;
  readonly isLesser: boolean;
}

/** How changed files affect what gates run; empty for a file that does not. */
export function touchedGates(change: Change): (file: FileChange) => Tampering[] {
  const kinds = Map.groupBy(change.gateInputs, ({ part, what }) => `${part} ${what}`);
  const inputs = [...kinds.values()].map(([first, ...more]) => ({
    ...(first as GateInput),
    matches: compileGlobs([first as GateInput, ...more].map(({ glob }) => glob)),
  }));
  const isProtected = compileGlobs(change.policy.protect);
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
  if (!/^(used by a gate|installed tools)$/.test(what) && isInNewFolder(path, change)) return [];
  if (part === 'package-settings') return manifestChanges(before, after);
  if (part !== 'whole') {
    const isSame = gatePart(part, before ?? '') === gatePart(part, after ?? '');
    return isSame ? [] : [{ what, detail: `its ${what}`, isLesser: false }];
  }
  const isFine = what === 'used by a gate' ? holdsTests(file) : isHarmless(path, file);
  return isFine ? [] : [whole(what)];
}

/** `node test.js`: such a file is compared test by test. */
function holdsTests(file: FileChange): boolean {
  if (!isTestFile(file.oldPath)) return false;
  return testsIn(file, 'before')?.cases.some(({ assertions }) => assertions.length > 0) ?? false;
}

/** Settings of a new package cannot affect existing ones; `.cargo/` is not a package. */
function isInNewFolder(path: string, { base }: Change): boolean {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return folder !== '' && !base.isDirectory(folder) && !/(^|\/)\./.test(folder);
}

/** Lines in such files that are not test settings: dependencies, sources, imports. */
const otherLines: readonly [RegExp, RegExp][] = [
  [
    /\.xml$/,
    /^<\/?(dependenc(y|ies)|groupId|artifactId|version|scope|type|name|description)\b[^<]*(<\/\w+>)?$/,
  ],
  [
    /\.gradle(\.kts)?$/,
    /^(\w*[iI]mplementation|api|compileOnly|runtimeOnly|version|group|description)\b|^[})]*$/,
  ],
  [
    /(^|\/)CMakeLists\.txt$/,
    /^(target_sources|target_link_libraries|add_library|project)\b|^[\w./-]+\.\w+\)*$|^\)*$/,
  ],
  [/(^|\/)mix\.exs$/, /^\{:\w+,.*\},?$|^version:/],
  [/(^|\/)composer\.json$/, /^"[\w-]+\/[\w.-]+":\s*"[^"]*",?$|^"(name|description|version)":|^[{}[\],]*$/],
  [/(^|\/)__init__\.py$/, /^(from [\w.]+ )?import [\w., ]+$|^["'#]|^$/],
];

/** True if only those other lines changed. Something that is not a regular file may be anything. */
function isHarmless(path: string, { status, before, after, lines }: FileChange): boolean {
  if (isFixture(path)) return /(^|\/)node_modules\//.test(path);
  if (/(^|\/)__init__\.py$/.test(path) && !isTestCode(path)) return true;
  if (status !== 'deleted' && after === null) return false;
  // A new file with a custom name counts once something names it, and that reference is checked itself.
  if (status === 'added' && /(^|\/)tsconfig\.[\w.-]+\.json$/.test(path)) return true;
  if (/(^|\/)vite\.config\.\w+$/.test(path)) return !/\btest["']?\s*:/.test(`${before}${after}`);
  const changed = [...lines.added, ...lines.removed];
  const other = otherLines.find(([name]) => name.test(path))?.[1];
  if (other) return changed.every(({ text }) => other.test(text.trim()));
  if (!/(^|\/)conftest\.py$/.test(path)) return false;
  return !changed.some(({ text }) =>
    /\bpytest_\w+|collect_ignore|\bskip\b|xfail|autouse|sys\.exit|os\._exit|import\s*\*/.test(text),
  );
}
