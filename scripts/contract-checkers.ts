import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '#schema/paths.ts';

/** Type checkers, test runners and frameworks whose real programs `npm run test:checkers` runs, with the versions it was written for. */
export const contractCheckers = {
  mypy: { version: '2.4.0', proof: 'mypy/__main__.py' },
  pyright: { version: '1.1.414', proof: 'node_modules/pyright/index.js' },
  jest: { version: '30.5.2', proof: 'node_modules/jest/bin/jest.js' },
  next: { version: '16.4.6', proof: 'node_modules/next/dist/bin/next' },
} as const;

export type ContractChecker = keyof typeof contractCheckers;

/** Where `npm run checkers:install` installs one. */
export function checkerFolder(name: ContractChecker): string {
  const cache = cacheDir({ env: process.env, home: homedir(), platform: process.platform });
  return join(cache, 'checkers', `${name}-${contractCheckers[name].version}`);
}

export function isCheckerInstalled(name: ContractChecker): boolean {
  return existsSync(join(checkerFolder(name), contractCheckers[name].proof));
}
