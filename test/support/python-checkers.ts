import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { checkerFolder } from '#scripts/contract-checkers.ts';
import type { GitRepository } from './git-repository.ts';

/** The programs as they are installed in a project's `.venv/bin`. */
const programs = {
  mypy: [
    '#!/usr/bin/env python3',
    'import sys',
    `sys.path.insert(0, ${JSON.stringify(checkerFolder('mypy'))})`,
    'from mypy.__main__ import console_entry',
    'console_entry()',
    '',
  ].join('\n'),
  pyright: `#!/bin/sh\nexec "${process.execPath}" "${join(checkerFolder('pyright'), 'node_modules/pyright/index.js')}" "$@"\n`,
};

export type PythonChecker = keyof typeof programs;

/** Installs the checker in a repository that ignores `.venv`. */
export function installChecker(repository: GitRepository, name: PythonChecker): void {
  const path = `.venv/bin/${name}`;
  repository.write({ [path]: programs[name] });
  chmodSync(join(repository.dir, path), 0o755);
}
