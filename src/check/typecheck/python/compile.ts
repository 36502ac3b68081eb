import { CheckerFailure, type CheckerRun, runChecker } from '#check/typecheck/containment/containment.ts';
import type { Diagnostic } from '#check/typecheck/diagnostics/diagnostic-keys.ts';
import type { GitTree } from '#git/trees/tree.ts';

/** Sources are passed as data and only compiled, which runs none of them. `-I`: nothing of the folder or the user is imported. */
const program = `
import base64, json, sys, warnings
warnings.simplefilter('ignore')
def line_of(source, number):
    lines = source.decode('utf8', 'replace').splitlines()
    return lines[number - 1] if number and number <= len(lines) else ''
found = []
for path, text in json.load(sys.stdin):
    source = base64.b64decode(text)
    try:
        compile(source, path, 'exec', dont_inherit=True)
    except SyntaxError as error:
        found.append([path, error.lineno or 1, error.offset or 1, type(error).__name__, error.msg, (error.text or line_of(source, error.lineno)).strip()])
    except (ValueError, RecursionError, MemoryError) as error:
        found.append([path, 1, 1, type(error).__name__, str(error), ''])
json.dump(found, sys.stdout)
`;

type Found = readonly [
  path: string,
  line: number,
  column: number,
  code: string,
  message: string,
  text: string,
];

/** Errors of Python's own compiler for files of a tree. */
export async function compileFiles(
  python: string,
  tree: GitTree,
  paths: readonly string[],
  read: (blob: string) => Promise<Buffer | null>,
  run: CheckerRun,
): Promise<Diagnostic[]> {
  const sources: [string, string][] = [];
  for (const path of paths) {
    const blob = tree.blob(path);
    const content = blob === undefined ? null : await read(blob);
    if (content) sources.push([path, content.toString('base64')]);
  }
  if (sources.length === 0) return [];
  const { code, stdout, stderr } = await runChecker(python, ['-I', '-S', '-c', program], {
    ...run,
    input: JSON.stringify(sources),
  });
  if (code !== 0)
    throw new CheckerFailure('crashed', `${python} ended with exit code ${code}: ${stderr.split('\n')[0]}`);
  return (JSON.parse(stdout) as Found[]).map(([file, line, column, kind, message, text]) => ({
    file,
    line: Math.max(1, line),
    column: Math.max(1, column),
    endLine: Math.max(1, line),
    code: kind,
    message,
    text,
  }));
}
