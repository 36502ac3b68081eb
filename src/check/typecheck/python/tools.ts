import { existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import type { Checkout } from '#check/typecheck/containment/checkout.ts';
import type { Diagnostic } from '#check/typecheck/diagnostics/diagnostic-keys.ts';

type Settings = Readonly<Record<string, unknown>>;

/** A type checker that a project has configured. */
export interface PythonTool {
  readonly name: 'mypy' | 'pyright';
  /** File of the project that configures it. */
  readonly project: string;
  /** Our copy of its settings, without what would run code of the repository or write elsewhere. */
  readonly config: { readonly file: string; readonly text: string };
  args(config: string, python: string, cacheDir: string): string[];
  read(stdout: string): Diagnostic[] | null;
}

/** Settings that load code, name a program to run, write files, or change the form of the output. */
const refused =
  /^(plugins|python_executable|cache_dir|junit_xml|\w+_report|install_types|non_interactive|sqlite_cache|pdb|output|pretty|show_\w+|color_output|error_summary|hide_\w+|custom_typing_module|shadow_file|timing_stats|line_checking_stats)$/;

/** Type checkers whose settings are at the top of the repository. `read` gives the text of a file there. */
export async function configuredTools(read: (path: string) => Promise<string | null>): Promise<PythonTool[]> {
  const pyproject = tables((await read('pyproject.toml')) ?? '');
  const tools: PythonTool[] = [];
  for (const file of ['mypy.ini', '.mypy.ini', 'setup.cfg']) {
    const text = await read(file);
    if (text !== null && /^\[mypy\]/m.test(text) && tools.length === 0)
      tools.push(
        mypy(
          file,
          { file: 'joinery-mypy.ini', text: withoutRefused(text) },
          /^\s*(files|packages|modules)\s*[=:]/m.test(text),
        ),
      );
  }
  const inToml = pyproject.mypy;
  if (inToml && tools.length === 0) {
    const kept = Object.fromEntries(
      Object.entries(inToml).filter(([key]) => !refused.test(key.toLowerCase().replaceAll('-', '_'))),
    );
    const config = { file: 'joinery-mypy.toml', text: stringify({ tool: { mypy: kept } }) };
    tools.push(
      mypy(
        'pyproject.toml',
        config,
        ['files', 'packages', 'modules'].some((key) => key in kept),
      ),
    );
  }
  const json = await read('pyrightconfig.json');
  if (json !== null) tools.push(pyright('pyrightconfig.json', json));
  else if (pyproject.pyright) tools.push(pyright('pyproject.toml', JSON.stringify(pyproject.pyright)));
  return tools;
}

function tables(text: string): { mypy?: Settings; pyright?: Settings } {
  try {
    return (parse(text).tool ?? {}) as { mypy?: Settings; pyright?: Settings };
  } catch {
    return {};
  }
}

/**
 * The settings that Python's configparser would read, written anew one per line, without those that load or name
 * programs. Anything it would read in another way (indented keys, capitals, continuation lines) is read the same here.
 */
function withoutRefused(text: string): string {
  const kept: string[] = [];
  let isKept = false;
  for (const line of text.split(/\r?\n/)) {
    const bare = line.trim();
    if (bare === '' || /^[#;]/.test(bare)) continue;
    const key = /^([^=:[]+?)\s*[=:]/.exec(bare)?.[1]?.toLowerCase().replaceAll('-', '_');
    if (bare.startsWith('[')) {
      isKept = true;
      kept.push(bare);
    } else if (key !== undefined) {
      isKept = !refused.test(key);
      if (isKept) kept.push(bare);
    } else if (isKept) kept.push(`  ${bare}`);
  }
  return `${kept.join('\n')}\n`;
}

function mypy(project: string, config: PythonTool['config'], namesFiles: boolean): PythonTool {
  return {
    name: 'mypy',
    project,
    config,
    args: (file, python, cacheDir) => [
      ...['--config-file', file, '--python-executable', python, '--cache-dir', cacheDir],
      ...['--show-column-numbers', '--show-error-codes', '--no-error-summary', '--no-color-output'],
      ...['--no-pretty', '--hide-error-context', '--no-warn-unused-configs'],
      ...(namesFiles ? [] : ['.']),
    ],
    read(stdout) {
      const found = [
        ...stdout.matchAll(/^(.+?):(\d+):(?:(\d+):)? (error|note): (.*?)(?: {2}\[([\w-]+)\])?$/gm),
      ];
      return found.flatMap(([, file = '', line, column = '1', severity, message = '', code = 'error']) =>
        severity === 'error' ? [diagnostic(file, Number(line), Number(column), `mypy:${code}`, message)] : [],
      );
    },
  };
}

interface PyrightOutput {
  readonly generalDiagnostics: readonly {
    readonly file: string;
    readonly severity: string;
    readonly message: string;
    readonly rule?: string;
    readonly range?: { readonly start: { readonly line: number; readonly character: number } };
  }[];
}

function pyright(project: string, text: string): PythonTool {
  return {
    name: 'pyright',
    project,
    config: { file: 'pyrightconfig.json', text },
    args: (file, python) => ['--outputjson', '--pythonpath', python, '-p', file],
    read(stdout) {
      try {
        const { generalDiagnostics } = JSON.parse(stdout) as PyrightOutput;
        return generalDiagnostics
          .filter(({ severity }) => severity === 'error')
          .map(({ file, message, rule = 'error', range }) => {
            const start = range?.start ?? { line: 0, character: 0 };
            return diagnostic(file, start.line + 1, start.character + 1, `pyright:${rule}`, message);
          });
      } catch {
        return null;
      }
    },
  };
}

function diagnostic(file: string, line: number, column: number, code: string, message: string): Diagnostic {
  return { file: file.replaceAll('\\', '/'), line, column, endLine: line, code, message, text: '' };
}

/** A program of the project's virtual environment, else of PATH. */
export function findProgram(
  name: string,
  checkout: Checkout | null,
): { path: string; origin: 'project' | 'path' } | null {
  const [folder, suffix] = process.platform === 'win32' ? ['Scripts', '.exe'] : ['bin', ''];
  for (const venv of checkout ? ['.venv', 'venv'] : []) {
    const own = `${venv}/${folder}/${name}${suffix}`;
    const path = join(checkout?.dir ?? '', own);
    if (isFile(path) && !checkout?.isTracked(`${venv}/${folder}`)) return { path, origin: 'project' };
  }
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((dir) => isAbsolute(dir))
    .map((dir) => join(dir, name + suffix))
    .find(isFile);
  return path === undefined ? null : { path, origin: 'path' };
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
