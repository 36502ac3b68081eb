import type { FileCompiler } from './compiler.ts';

/** `ruby -c` only parses; not even `BEGIN` blocks run. No file of the user or of a gem is loaded. */
export const ruby: FileCompiler = {
  name: 'ruby -c',
  program: 'ruby',
  version: ['-v'],
  reads: 'file',
  isSource: (path) => path.endsWith('.rb'),
  args: ['--disable=all', '-W0', '-c'],
  read(output) {
    const [, line, message = ''] = /^(?:-: )?-:(\d+): (.*)$/m.exec(output) ?? [];
    if (line === undefined) return null;
    // From 3.4 on the first line has the number of errors, and the line itself is marked.
    const [, marked, said = message] = /^> *(\d+) \|.*\n *\| *\^+~* (.*)$/m.exec(output) ?? [];
    return place(
      Number(marked ?? line),
      'ruby:syntax',
      said.replace(/^syntax errors? found.*$/, 'syntax error'),
    );
  },
};

/** `php -l` parses and compiles, without an ini file. */
export const php: FileCompiler = {
  name: 'php -l',
  program: 'php',
  version: ['-n', '-v'],
  reads: 'file',
  isSource: (path) => path.endsWith('.php'),
  args: ['-n', '-d', 'display_errors=1', '-d', 'log_errors=0', '-d', 'html_errors=0', '-l'],
  read(output) {
    const [, message = '', line] =
      /^(?:PHP )?(?:Parse|Fatal) error: +(?! )(.*) in (?:Standard input code|-) on line (\d+)$/m.exec(
        output,
      ) ?? [];
    return line === undefined ? null : place(Number(line), 'php:syntax', message);
  },
};

function place(line: number, code: string, message: string) {
  return { line, column: 1, endLine: line, code, message };
}
