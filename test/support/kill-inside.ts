import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Which process is killed with SIGKILL, and inside what. */
export type Kill =
  /** The n-th git call, so many milliseconds after its start, together with the process that started it. */
  | {
      readonly inside: 'git';
      readonly at: number;
      readonly ms: number;
      readonly with: 'nobody' | 'driver' | 'group';
    }
  /** While a gate runs. */
  | { readonly inside: 'gate'; readonly whom: 'gate' | 'guard' | 'driver' | 'guard and driver' };

export const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

/** A wrapper of `git` that counts its calls and kills one of them midway. */
export function killingGit(folder: string, kill: Kill & { inside: 'git' }): string[] {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const calls = join(folder, 'calls');
  const also = {
    nobody: ':',
    driver: 'kill -9 $PPID',
    group: 'group=$(ps -o pgid= -p $PPID | tr -d " "); kill -9 ${group:+-$group} $PPID',
  };
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh
printf x >> '${calls}'
[ "$(wc -c < '${calls}')" -eq ${kill.at} ] || exec '${realGit}' "$@"
'${realGit}' "$@" <&0 &
sleep ${(kill.ms / 1000).toFixed(4)}
kill -9 $! 2>/dev/null
${also[kill.with]}
kill -9 $$
`,
  );
  chmodSync(join(bin, 'git'), 0o755);
  return ['env', `PATH=${bin}${delimiter}${process.env.PATH}`];
}

/** A suite of two tests that kills a process when a file tells it to, once. */
export function killingSuite(order: string): string {
  return `
const fs = require('node:fs');
const parentOf = (pid) => Number(fs.readFileSync('/proc/' + pid + '/stat', 'utf8').split(') ')[1].split(' ')[1]);
const lineOf = (pid) => fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8');
let whom = '';
try {
  whom = fs.readFileSync(${JSON.stringify(order)}, 'utf8');
  fs.rmSync(${JSON.stringify(order)});
} catch {}
if (whom !== '') {
  let guard = process.ppid;
  while (guard > 1 && !lineOf(guard).includes('guard.js')) guard = parentOf(guard);
  const driver = parentOf(guard);
  if (whom.includes('driver')) process.kill(driver, 'SIGKILL');
  if (whom.includes('guard')) process.kill(guard, 'SIGKILL');
  process.kill(process.pid, 'SIGKILL');
}
const isRight = require('../src/sum.cjs').sum(1, 2) === 3;
if (!isRight) console.log(' FAIL  sum.test.cjs > adds');
console.log('      Tests  ' + (isRight ? '2 passed (2)' : '1 failed | 1 passed (2)'));
process.exit(isRight ? 0 : 1);
`;
}
