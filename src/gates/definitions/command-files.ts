import { posix } from 'node:path';

const interpreter =
  /^(node|deno|bun|tsx|ts-node|python[\d.]*|sh|bash|zsh|dash|ruby|perl|php|pwsh|source|\.)$/;
/** The interpreter only checks its files, or runs them as tests. */
const looks = /^--(check|test)$/;
const setting =
  /^(-c|-f|-p|-r|--config|--file|--project|--rcfile|--require|--import|--loader|--experimental-loader|--setupFiles\w*|--globalSetup|--test-global-setup|--test-reporter|--reporter|--tsconfig)$/;
/** Programs that run scripts of package.json by name. */
const scriptRunner =
  /^(npm|pnpm|yarn|bun|turbo|nx|lerna|wireit|wsrun|ultra|run-s|run-p|npm-run-all2?|concurrently|--run)$/;
const makeRunner = /^(g?make|just)$/;

/** Files of the repository that a command executes or is configured by; files it only reads are the work itself. */
export function pathsIn(command: string, start = '.'): string[] {
  let folder = start;
  return partsOf(command).flatMap((words) =>
    words.flatMap((word, index) => {
      const before = words[index - 1] ?? '';
      const inside = folder;
      if (before === 'cd' || before === '--prefix' || before === '-C') folder = posix.join(folder, word);
      const runner = words.slice(0, index).findLast((each) => !each.startsWith('-')) ?? '';
      const isRun =
        index === 0
          ? word.includes('/')
          : interpreter.test(runner) && !words.some((each) => looks.test(each));
      if (word.startsWith('-') || word.startsWith('/') || !(isRun || setting.test(before))) return [];
      const path = posix.join(inside, word);
      return path.startsWith('..') ? [] : [path];
    }),
  );
}

/** Returns whether a command runs the script with this name, including npm's pre and post scripts. */
export function scriptsIn(command: string): (name: string) => boolean {
  const words = partsOf(command)
    .filter((part) => part.some((word) => scriptRunner.test(word)))
    .flatMap((part) => part.map((word) => word.replace(/^npm:/, '')))
    .map((word) => (/^(t|tst)$/.test(word) ? 'test' : word));
  const exact = new Set(words);
  const patterns = words
    .filter((word) => word.includes('*'))
    .map((word) => new RegExp(`^${word.replace(/[.+?^$()|[\]{}\\]/g, '\\$&').replace(/\*+/g, '.*')}$`));
  const isNamed = (name: string) => exact.has(name) || patterns.some((pattern) => pattern.test(name));
  return (name) => isNamed(name) || isNamed(name.replace(/^(pre|post)/, ''));
}

/** The make targets of a command; an empty name for the default target. */
export function targetsIn(command: string): string[] {
  return partsOf(command).flatMap((words) => {
    const at = words.findIndex((word) => makeRunner.test(word));
    if (at < 0) return [];
    const targets = words.slice(at + 1).filter((word) => /^[\w][\w./-]*$/.test(word));
    return targets.length > 0 ? targets : [''];
  });
}

function partsOf(command: string): string[][] {
  return command.split(/&&|\|\|?|;|\n/).map((part) =>
    part
      .replace(/["'`()]/g, ' ')
      .replace(/(?<![\w-])(--[\w-]+)=/g, '$1 ')
      .split(/\s+/)
      .filter((word) => word !== '' && !/^\w+=/.test(word)),
  );
}
