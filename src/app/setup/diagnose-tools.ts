import type { Facts } from '#code/facts/facts.ts';
import { Git } from '#git/call/git.ts';
import { type Containment, describeContainment, installBubblewrap } from '#process/containment.ts';
import type { Diagnosis } from '#schema/command-reports.ts';
import { isJoineryError } from '#schema/errors.ts';

/** `merge-tree --write-tree` appeared in this version. */
const gitFloor = '2.38';

export async function diagnoseGit(): Promise<Diagnosis> {
  const hint = `install git ${gitFloor} or newer: https://git-scm.com/downloads`;
  try {
    const printed = await new Git().text(['--version']);
    const version = /(?<!\d)\d+\.\d+(\.\d+)?/.exec(printed)?.[0] ?? '0';
    return isAtLeast(version, gitFloor)
      ? { name: 'git', status: 'pass', found: version, hint: '' }
      : { name: 'git', status: 'fail', found: `${version}, older than ${gitFloor}`, hint };
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    return { name: 'git', status: 'fail', found: error.message, hint };
  }
}

/** `floor` as in `engines`: `>=22.18`. */
export function diagnoseNode(version: string, floor: string): Diagnosis {
  const oldest = floor.replace(/^>=/, '');
  return isAtLeast(version, oldest)
    ? { name: 'node', status: 'pass', found: version, hint: '' }
    : { name: 'node', status: 'fail', found: `${version}, older than ${oldest}`, hint: 'nvm install 24' };
}

/** Small files that every parser accepts, read in the process that `check` uses. */
const probes = [
  { name: 'parser: TypeScript', file: 'probe.ts', text: 'export const probe: number = 1;\n' },
  { name: 'parser: Python', file: 'probe.py', text: 'probe: int = 1\n' },
];

export async function diagnoseParsers(): Promise<Diagnosis[]> {
  const { factsOfText } = await import('#code/extraction/read-apart.ts');
  return Promise.all(probes.map(({ name, file, text }) => tryParser(name, () => factsOfText(file, text))));
}

async function tryParser(name: string, read: () => Promise<Facts | null>): Promise<Diagnosis> {
  const hint = 'install joinery again, with the parser for this platform: npm install joinery';
  try {
    const problem = (await read())?.syntaxError;
    return problem === null
      ? { name, status: 'pass', found: 'loads', hint: '' }
      : { name, status: 'fail', found: `does not parse: ${problem?.message ?? 'no parser'}`, hint };
  } catch (error) {
    return { name, status: 'fail', found: `does not load: ${(error as Error).message.split('\n')[0]}`, hint };
  }
}

/** Whether what executes work here runs contained. */
export function diagnoseSandbox(here: Containment): Diagnosis {
  const name = 'sandbox';
  const found = `agents, gates, tests and installs run ${describeContainment(here)}`;
  if (here.by !== 'none') return { name, status: 'pass', found, hint: '' };
  const hint = here.isChosen
    ? 'leave out --no-sandbox, and unset JOINERY_SANDBOX'
    : process.platform === 'linux'
      ? `on Debian and Ubuntu: ${installBubblewrap}`
      : '';
  return { name, status: 'skipped', found, hint };
}

function isAtLeast(version: string, floor: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, least] of floor.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
