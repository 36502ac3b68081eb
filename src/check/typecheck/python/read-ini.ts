import { CheckerFailure, type CheckerRun, runChecker } from '#check/typecheck/containment/containment.ts';

/** A section of an INI file: its name and settings. `[mypy-app.*]` is `['mypy-app.*', { ignore_errors: 'True' }]`. */
export type IniSection = readonly [name: string, settings: Readonly<Record<string, string>>];

/**
 * The parser that mypy uses, on text that is passed as data. No other parser ends lines, strips blanks and joins values exactly as it does.
 * `-I -S`: nothing of the folder, the user or a virtual environment is imported.
 */
const program = `
import configparser, io, json, sys
parser = configparser.RawConfigParser()
try:
    text = sys.stdin.buffer.read().decode('utf-8', 'replace')
    parser.read_file(io.StringIO(text, newline=None))
    sections = [[name, dict(parser.items(name))] for name in parser.sections()]
    print(json.dumps({'sections': sections}))
except (configparser.Error, UnicodeError) as error:
    print(json.dumps({'error': str(error).splitlines()[0]}))
`;

/** The sections of an INI file as Python reads them; an error text when it cannot. */
export async function readIni(
  python: string,
  text: string,
  run: CheckerRun,
): Promise<readonly IniSection[] | string> {
  const { code, stdout } = await runChecker(python, ['-I', '-S', '-c', program], { ...run, input: text });
  if (code !== 0) throw new CheckerFailure('crashed', `${python} ended with exit code ${code}`);
  const { sections, error } = JSON.parse(stdout) as { sections?: IniSection[]; error?: string };
  return sections ?? error ?? '';
}
