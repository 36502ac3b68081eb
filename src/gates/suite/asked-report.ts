import { posix } from 'node:path';
import { asObject, asString } from '#lib/json-value.ts';
import { parseJson } from '#lib/parse-json.ts';
import { shellWord } from '#lib/shell-word.ts';

/** A test command that also writes the runner's own report. */
export interface AskedReport {
  readonly line: string;
  readonly env: Readonly<Record<string, string>>;
  readonly format: 'junit' | 'jest';
}

/** How a runner is asked for its report: by words after its command, or by a variable. */
interface Reporter {
  readonly called: RegExp;
  /** It has its own report already, which a second one would replace. */
  readonly unless?: RegExp;
  readonly format: AskedReport['format'];
  words?(file: string): readonly string[];
  env?(file: string, before: Readonly<Record<string, string>>): Record<string, string>;
}

const reporters: readonly Reporter[] = [
  {
    called: /\bvitest\b/,
    unless: /--(reporter|outputFile)\b/,
    format: 'junit',
    words: (file) => ['--reporter=default', '--reporter=junit', `--outputFile.junit=${file}`],
  },
  {
    called: /\bjest\b/,
    unless: /--(json|outputFile)\b/,
    format: 'jest',
    words: (file) => ['--json', `--outputFile=${file}`],
  },
  {
    called: /\bnode\b[^\n;&|]{0,300}--test\b/,
    unless: /--test-reporter/,
    format: 'junit',
    env: (file, { NODE_OPTIONS = '' }) => ({
      NODE_OPTIONS:
        `${NODE_OPTIONS} --test-reporter=junit --test-reporter-destination=${quotedOption(file)} --test-reporter=spec --test-reporter-destination=stdout`.trim(),
    }),
  },
  {
    // Whatever starts it: the variable reaches it through tox, nox and make.
    called: /\b(pytest|py\.test|tox|nox)\b/,
    unless: /--junit-?xml/,
    format: 'junit',
    env: (file, { PYTEST_ADDOPTS = '' }) => ({
      PYTEST_ADDOPTS:
        `${PYTEST_ADDOPTS} -o junit_family=xunit1 --continue-on-collection-errors --junitxml=${shellWord(file)}`.trim(),
    }),
  },
  {
    called: /\bphpunit\b/,
    unless: /--log-junit/,
    format: 'junit',
    words: (file) => ['--log-junit', file],
  },
];

/** NODE_OPTIONS knows double quotes only. */
function quotedOption(file: string): string {
  return /[\s"\\]/.test(file) ? `"${file.replace(/["\\]/g, '\\$&')}"` : file;
}

/** Folders in which build tools leave JUnit files by themselves. */
export const leftReports = [
  '**/target/surefire-reports/TEST-*.xml',
  '**/build/test-results/**/TEST-*.xml',
] as const;

/** The command, changed so that its runner also writes its report to `file`; null if the runner is not known or not the last word. */
export function askReport(
  line: string,
  file: string,
  env: Readonly<Record<string, string>>,
  /** Reads a file of the tree. */
  read: (path: string) => string | null,
): AskedReport | null {
  const texts = textsOf(line, read);
  const all = texts.join('\n');
  for (const { called, unless, format, words, env: variables } of reporters) {
    if (!called.test(all) || unless?.test(all)) continue;
    if (variables) return { line, env: variables(file, env), format };
    const isLast = texts.every((text) => called.test(lastPart(text)) || isScriptCall(lastPart(text)));
    if (!words || !isLast) continue;
    const between = isScriptCall(lastPart(line)) && !/\s--\s/.test(line) ? ' --' : '';
    return { line: `${line}${between} ${words(file).map(shellWord).join(' ')}`, env: {}, format };
  }
  return null;
}

/** What follows ` -- ` goes to the last program of the script. */
const scriptCall =
  /^\s*(?:npm|pnpm|yarn|bun|composer)\s+(?:run\s+)?([\w:.-]+)(?:\s+(?:--silent|-s))?\s*(?:\s--\s.*)?$/;
const isScriptCall = (part: string) => scriptCall.test(part);
const mostScripts = 5;

function lastPart(line: string): string {
  return line.split(/&&|\|\||;|\||\n/).at(-1) ?? '';
}

/** The line, and the scripts that it calls, one after the other. */
function textsOf(line: string, read: (path: string) => string | null): string[] {
  const [, quoted, plain = '.'] = /^\s*cd\s+(?:'([^']*)'|([\w./@-]+))\s*&&/.exec(line) ?? [];
  const folder = quoted ?? plain;
  const texts = [line];
  for (let text = line; texts.length <= mostScripts; ) {
    const name = scriptCall.exec(lastPart(text))?.[1];
    const made = /\b(?:g?make|just)\s+([\w.-]+)\s*$/.exec(lastPart(text))?.[1];
    const next =
      name !== undefined
        ? scriptIn(
            read(posix.join(folder, 'package.json')) ?? read(posix.join(folder, 'composer.json')),
            name,
          )
        : made !== undefined
          ? recipeIn(
              ['Makefile', 'makefile', 'GNUmakefile', 'justfile', 'Justfile']
                .map((file) => read(posix.join(folder, file)))
                .find((each) => each !== null) ?? null,
              made,
            )
          : null;
    if (next === null) break;
    texts.push(next);
    text = next;
  }
  return texts;
}

function scriptIn(manifest: string | null, name: string): string | null {
  const wanted = name === 't' ? 'test' : name;
  return asString(asObject(asObject(parseJson(manifest ?? '')).scripts)[wanted]) ?? null;
}

function recipeIn(text: string | null, name: string): string | null {
  const lines = (text ?? '').split('\n');
  const start = lines.findIndex((each) => each.startsWith(`${name}:`) || each.startsWith(`${name} `));
  if (start < 0) return null;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((each) => /^\S/.test(each));
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .join('\n')
    .trim();
}
