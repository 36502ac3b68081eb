import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';

/**
 * What a person's git does to files on checkout and commit. Recorded before agents start: an agent
 * that can write to the repository can also change its settings.
 */
export interface CheckoutSettings {
  readonly config: readonly (readonly [key: string, value: string])[];
  /** Texts of files outside the tree, as latin1: the user's global ones and those of this repository. */
  readonly attributes: Outside;
  readonly excludes: Outside;
}

interface Outside {
  readonly user: string;
  readonly repository: string;
}

/** Files are checked out exactly as they are in commits. */
export const noSettings: CheckoutSettings = {
  config: [],
  attributes: { user: '', repository: '' },
  excludes: { user: '', repository: '' },
};

const wanted =
  '^(core\\.(autocrlf|eol|safecrlf|symlinks|filemode|ignorecase|precomposeunicode|checkroundtripencoding)|filter\\..*)$';
const mostBytes = 1024 * 1024;

export async function readCheckoutSettings({
  git,
  commonDir,
}: Pick<Repository, 'git' | 'commonDir'>): Promise<CheckoutSettings> {
  const { stdout } = await git.run(['config', '--null', '--get-regexp', wanted], { accept: [0, 1] });
  const config = stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry): [string, string] => {
      const end = entry.indexOf('\n');
      return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    });
  const outside = async (key: string, name: string): Promise<Outside> => ({
    user: textOf((await pathSetting(git, key)) ?? userFile(name)),
    repository: textOf(join(commonDir, 'info', name === 'ignore' ? 'exclude' : name)),
  });
  return {
    config,
    attributes: await outside('core.attributesFile', 'attributes'),
    excludes: await outside('core.excludesFile', 'ignore'),
  };
}

/** The same settings without programs: filters that the repository configures do not run. */
export function withoutPrograms(settings: CheckoutSettings): CheckoutSettings {
  return { ...settings, config: settings.config.filter(([key]) => !key.startsWith('filter.')) };
}

export function isSet(settings: CheckoutSettings, key: string, otherwise: boolean): boolean {
  const value = settings.config.findLast(([name]) => name === key)?.[1];
  return value === undefined ? otherwise : /^(true|yes|on|1)$/i.test(value);
}

async function pathSetting(git: Git, key: string): Promise<string | null> {
  const { stdout, code } = await git.run(['config', '--path', '--get', key], { accept: [0, 1] });
  return code === 0 ? stdout.toString('utf8').replace(/\n$/, '') : null;
}

function userFile(name: string): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', name);
}

function textOf(file: string): string {
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size <= mostBytes ? readFileSync(file, 'latin1') : '';
  } catch {
    return '';
  }
}
