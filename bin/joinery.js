#!/usr/bin/env node
/**
 * The only executable. Answers `--help` and `--version` from text, so that they work on any Node and at once;
 * everything else is loaded from `src` in a checkout and from `dist` in the published package.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const exitUsage = 3;
const exitEnvironment = 5;
const args = process.argv.slice(2);

const answer = answerFromText(args);
if (answer) {
  (answer.exitCode === 0 ? process.stdout : process.stderr).write(answer.text);
  process.exitCode = answer.exitCode;
} else {
  await start();
}

async function start() {
  const { BootstrapError, cacheDir, continueOnNewerNode, endWithWrapper, isNodeSupported, makeFolders } =
    await import('./bootstrap.js');
  try {
    if (!isNodeSupported()) {
      await continueOnNewerNode(fileURLToPath(import.meta.url), args, {
        quiet: args.includes('--quiet'),
        isTied: true,
      });
      return;
    }
  } catch (error) {
    if (!(error instanceof BootstrapError)) throw error;
    reportFailure(error);
    return;
  }
  endWithWrapper();
  const { enableCompileCache } = await import('node:module');
  const compiled = `${cacheDir()}/compiled`;
  try {
    // `enableCompileCache` makes it too, but never returns below /proc.
    makeFolders(compiled);
    enableCompileCache(compiled);
  } catch {
    // A command that needs the cache reports the place.
  }
  const sources = new URL('../src/cli/main.ts', import.meta.url);
  const entry = existsSync(sources) ? sources : new URL('../dist/joinery/main.js', import.meta.url);
  const main = await load(entry);
  await main?.(args);
}

/**
 * Packages may be missing, or on their way while npm installs them. Node would end with 1, which means findings.
 * @param {URL} entry
 * @returns {Promise<((argv: readonly string[]) => Promise<void>) | null>}
 */
async function load(entry) {
  try {
    return (await import(entry.href)).main;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    reportFailure({
      code: 'incomplete-installation',
      message: `Joinery cannot be loaded: ${message}.`,
      hint: 'install Joinery again (in a clone of it: npm ci --ignore-scripts)',
      exitCode: exitEnvironment,
    });
    return null;
  }
}

/**
 * @param {readonly string[]} argv
 * @returns {{ text: string, exitCode: number } | null} null when the command itself has to run
 */
function answerFromText(argv) {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const [command, topic] = words.filter(
    (word, index) => !word.startsWith('-') && !['-C', '--directory'].includes(words[index - 1] ?? ''),
  );
  if (command === undefined && words.some((word) => word === '--version' || word === '-V')) {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    return { text: `${version}\n`, exitCode: 0 };
  }
  const wantsHelp = words.includes('--help') || words.includes('-h');
  if (command === 'help') return helpOn(topic);
  if (wantsHelp || argv.length === 0) return helpOn(command);
  return null;
}

/** @param {string | undefined} command */
function helpOn(command = 'joinery') {
  const folder = new URL('./help/', import.meta.url);
  const topics = readdirSync(folder).map((file) => file.replace(/\.txt$/, ''));
  if (!topics.includes(command)) {
    const commands = topics.filter((topic) => topic !== 'joinery').join(', ');
    return { text: `joinery: no help on "${command}"; there is: ${commands}\n`, exitCode: exitUsage };
  }
  return { text: readFileSync(new URL(`${command}.txt`, folder), 'utf8'), exitCode: 0 };
}

/** @param {{ code: string, message: string, hint: string, exitCode: number }} error */
function reportFailure({ code, message, hint, exitCode }) {
  process.exitCode = exitCode;
  process.stderr.write(`joinery: ${message} Next: ${hint}\n`);
  if (!args.includes('--json')) return;
  const envelope = { schema: 'joinery/error@1', status: 'error', error: { code, message, hint } };
  process.stdout.write(`${JSON.stringify(envelope, null, 2)}\n`);
}
