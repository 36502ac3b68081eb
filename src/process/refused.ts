import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Box } from './box.ts';

const offline =
  /\b(ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b|Temporary failure in name resolution|Could not resolve (host|proxy)|Network is unreachable|Name or service not known|no such host|dial tcp .{0,200}(connect|lookup)|UnknownHostException|Failed to establish a new connection/i;
const readOnly = /\bEROFS\b|Read-only file system/i;
/** `sh: 1: tool: not found`, `tool: command not found`, bubblewrap's own message. */
const noProgram =
  /^(?:.*: )?([\w.+-]+): (?:command )?not found$|^bwrap: execvp (\S+): No such file or directory$/;
const missing = /\bENOENT\b|No such file or directory|cannot find|not found|does not exist/i;
const paths = /(?:~|\/[\w.@+-]+)(?:\/[\w.@+-]+)+/g;

const most = 5;
const longest = 200;

/**
 * Lines of a failed program's output that name what a sandbox refused it: the network, a write outside, a file or a program that exists on
 * this machine and not in the box. `find` finds a program outside.
 */
export function refusedIn(
  log: string,
  box: Pick<Box, 'tree' | 'network'>,
  find: (program: string) => string | null,
  home = homedir(),
): string[] {
  const found = new Map<string, string>();
  for (const line of log.split('\n')) {
    const what = refusedBy(line.trim(), box, find, home);
    if (what !== null && !found.has(what)) found.set(what, `${what}: ${line.trim().slice(0, longest)}`);
    if (found.size >= most) break;
  }
  return [...found.values()];
}

function refusedBy(
  line: string,
  { tree, network }: Pick<Box, 'tree' | 'network'>,
  find: (program: string) => string | null,
  home: string,
): string | null {
  if (!network && offline.test(line)) return 'the network';
  if (readOnly.test(line)) return 'a write outside its folder';
  const [, program = null, other = null] = noProgram.exec(line) ?? [];
  const name = program ?? other;
  if (name !== null && find(name) !== null) return `the program ${name}`;
  if (!missing.test(line)) return null;
  const outside = (line.match(paths) ?? [])
    .map((path) => path.replace(/^~/, home))
    .find((path) => !path.startsWith(tree) && path.startsWith(`${home}/`) && existsSync(path));
  return outside === undefined ? null : `the file ${outside}`;
}
