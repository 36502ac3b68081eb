import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { GitRepository } from './git-repository.ts';
import { temporaryFolder } from './joinery.ts';

/** A machine with a person's logins, running programs and servers, and a program of the work that tries to reach them. */
export interface Machine {
  readonly repository: GitRepository;
  readonly home: string;
  readonly state: string;
  /** For Joinery: a person's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Source of the program; run in the tree, it prints `REACHED [...]` and `TRIED <n>`. */
  readonly program: string;
  /** What the program left outside, or ended. */
  damage(): string[];
}

const secrets = {
  '.ssh/id_test': 'KEY',
  '.netrc': 'machine example.com password KEY',
  '.npmrc': '//registry/:_authToken=KEY',
  '.cargo/credentials.toml': 'token = "KEY"',
  '.m2/settings.xml': '<password>KEY</password>',
  '.aws/credentials': 'KEY',
  '.config/gh/hosts.yml': 'oauth_token: KEY',
  '.docker/config.json': 'KEY',
  '.kube/config': 'KEY',
  '.claude/.credentials.json': 'KEY',
  '.codex/auth.json': 'KEY',
  '.git-credentials': 'https://me:KEY@host',
  '.gnupg/secring': 'KEY',
  '.bash_history': 'export TOKEN=KEY',
};

/** Attempts by name: code that returns what it got, or throws. Each has `fs`, `run`, `connect` and the places of the machine. */
const readings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.keys(secrets).map((path) => [`reads ~/${path}`, `fs.readFileSync(at.home + '/${path}', 'utf8')`]),
  ),
  'reads the log of runs': "fs.readFileSync(at.state + '/runs.db', 'utf8')",
  'reads the cache': "fs.readFileSync(at.cache + '/facts.db', 'utf8')",
  'reads another worktree': "fs.readFileSync(at.other + '/a.txt', 'utf8')",
  'reads an ignored file of the main checkout': "fs.readFileSync(at.main + '/.env', 'utf8')",
  'reads temporary files of others': "fs.readFileSync(at.temporary + '/note', 'utf8')",
  'reads /etc/shadow': "fs.readFileSync('/etc/shadow', 'utf8')",
  'reads a login through a link':
    "fs.symlinkSync(at.home + '/.ssh', 'keys'); fs.readFileSync('keys/id_test', 'utf8')",
  'reads a login through a hard link':
    "fs.linkSync(at.home + '/.netrc', 'netrc'); fs.readFileSync('netrc', 'utf8')",
  'reads a login through the first process': "fs.readFileSync('/proc/1/root' + at.home + '/.netrc', 'utf8')",
  'reads a login through its parent':
    "fs.readFileSync('/proc/' + process.ppid + '/root' + at.home + '/.netrc', 'utf8')",
  'reads the environment of another process':
    "fs.readFileSync('/proc/' + at.victim + '/environ', 'utf8').includes('VICTIM')",
  'sees the folder of another process': "fs.readlinkSync('/proc/' + at.victim + '/cwd')",
  'writes into the memory of another process': "fs.openSync('/proc/' + at.victim + '/mem', 'r+')",
  'finds another process':
    "fs.readdirSync('/proc').some((name) => /^\\d+$/.test(name) && fs.readFileSync('/proc/' + name + '/cmdline', 'utf8').includes('victim'))",
  'joins the namespaces of another process':
    "run('nsenter', ['-t', at.victim, '-m', 'cat', at.home + '/.netrc'])",
  mounts: "run('mount', ['-o', 'remount,rw,bind', '/usr'])",
  'mounts as root of its own namespace':
    "run('unshare', ['-Urm', 'sh', '-c', 'mount -o remount,rw,bind /usr && touch /usr/ways-out'])",
  'changes a setting of the kernel':
    "fs.writeFileSync('/proc/sys/kernel/core_pattern', fs.readFileSync('/proc/sys/kernel/core_pattern'))",
  'makes a device': "run('mknod', ['disk', 'b', '8', '0'])",
  'asks the init system': "connect({ path: '/run/systemd/private' })",
  'asks the containers': "connect({ path: '/var/run/docker.sock' })",
  'asks a path socket': 'connect({ path: at.socket })',
  'asks a path socket through the first process': "connect({ path: '/proc/1/root' + at.socket })",
  'asks an abstract socket': "connect({ path: '\\0' + at.abstract })",
};

const networking: Readonly<Record<string, string>> = {
  'asks a server on 127.0.0.1': "connect({ host: '127.0.0.1', port: at.port })",
  'asks a server by name': "connect({ host: 'localhost', port: at.port })",
  'asks a server on an address of the machine': 'connect({ host: at.address, port: at.port })',
  'finds a host by name': "require('node:dns').promises.lookup('registry.npmjs.org')",
};

/** Judged by what they leave: inside, an empty home can be written to. */
const writings: Readonly<Record<string, string>> = {
  'writes to the home': "fs.writeFileSync(at.home + '/ways-out', '')",
  'adds to .bashrc': "fs.appendFileSync(at.home + '/.bashrc', 'ways-out')",
  'writes beside its folder': "fs.writeFileSync('../ways-out', '')",
  'writes to the state': "fs.writeFileSync(at.state + '/ways-out', '')",
  'writes to the cache': "fs.writeFileSync(at.cache + '/ways-out', '')",
  'writes to the main checkout': "fs.writeFileSync(at.main + '/ways-out', '')",
  'writes temporary files of others': "fs.writeFileSync(at.temporary + '/ways-out', '')",
  'writes to /usr': "fs.writeFileSync('/usr/local/ways-out', '')",
  'writes to /etc': "fs.writeFileSync('/etc/ways-out', '')",
  'writes a hook of git':
    "fs.mkdirSync(at.main + '/.git/hooks', { recursive: true }); fs.writeFileSync(at.main + '/.git/hooks/ways-out', '')",
  'writes a setting of git': "fs.appendFileSync(at.main + '/.git/config', '[ways-out]')",
  'moves a ref': "run('git', ['update-ref', 'refs/heads/ways-out', 'HEAD'])",
  'writes to shared memory': "fs.writeFileSync('/dev/shm/' + at.abstract, '')",
  'ends another process': "process.kill(at.victim, 'SIGKILL')",
  'leaves a daemon':
    "spawn('env', ['-i', 'setsid', 'sleep', '1000.' + at.port], { cwd: '/', stdio: 'ignore', detached: true }).unref()",
};

const attemptsWithout = { ...readings, ...writings };
const allAttempts = { ...attemptsWithout, ...networking };

/** Number of attempts, with those on the network. */
export const attemptCount = Object.keys(allAttempts).length;

/** Changes nothing where they succeed: what runs without a sandbox may try only these. */
const harmless = Object.fromEntries(
  Object.entries({ ...readings, ...networking }).filter(([name]) => /^(reads|sees|asks)/.test(name)),
);

type Attempts = 'all' | 'without network' | 'harmless';

/** `attempts`: where the network is allowed, reaching a server is no way out. */
export async function openMachine(attempts: Attempts = 'all'): Promise<Machine> {
  const home = temporaryFolder();
  const repository = new GitRepository({});
  repository.commit({ 'a.txt': 'a\n', '.gitignore': '.env\n' });
  const other = join(temporaryFolder(), 'other');
  repository.git('worktree', 'add', '-q', '-b', 'other', other);
  const [state, cache, temporary] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  for (const [path, text] of Object.entries({
    ...Object.fromEntries(Object.entries(secrets).map(([path, text]) => [join(home, path), text])),
    [join(state, 'runs.db')]: 'KEY',
    [join(cache, 'facts.db')]: 'KEY',
    [join(repository.dir, '.env')]: 'KEY',
    [join(temporary, 'note')]: 'KEY',
  })) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const socket = join(temporaryFolder(), 's');
  const abstract = `ways-out-${process.pid}-${Date.now().toString(36)}`;
  const port = await listen({ port: 0 });
  await listen({ path: socket });
  await listen({ path: `\0${abstract}` });
  const victim = await startVictim(temporary);
  const places = {
    ...{ home, state, cache, other, temporary, socket, abstract, port },
    ...{ main: repository.dir, victim: victim.pid, address: ownAddress() },
  };
  const daemon = `1000.${port}`;
  return {
    repository,
    home,
    state,
    env: {
      ...{ HOME: home, JOINERY_STATE_DIR: state, JOINERY_CACHE_DIR: cache, JOINERY_SANDBOX: undefined },
      LC_ALL: 'C.UTF-8',
    },
    program: programWith(
      { all: allAttempts, 'without network': attemptsWithout, harmless }[attempts],
      places,
    ),
    damage: () => [
      ...[home, state, cache, temporary, repository.dir, '/etc', '/usr/local', '/usr', `${repository.dir}/..`]
        .filter((folder) => existsSync(join(folder, 'ways-out')))
        .map((folder) => `wrote to ${folder}`),
      ...(existsSync(join(home, '.bashrc')) ? ['added to .bashrc'] : []),
      ...(existsSync(join(repository.dir, '.git/hooks/ways-out')) ? ['wrote a hook'] : []),
      ...(existsSync(join(repository.dir, '.git/refs/heads/ways-out')) ? ['moved a ref'] : []),
      ...(readFileSync(join(repository.dir, '.git/config'), 'utf8').includes('ways-out')
        ? ['changed the settings of git']
        : []),
      ...(existsSync(join('/dev/shm', abstract)) ? ['wrote to shared memory'] : []),
      ...(victim.exitCode !== null || victim.signalCode !== null ? ['ended a process'] : []),
      ...(isRunning(daemon) ? ['left a daemon'] : []),
    ],
  };
}

function programWith(attempts: Readonly<Record<string, string>>, places: object): string {
  return `
const fs = require('node:fs');
const { spawn, spawnSync } = require('node:child_process');
const at = ${JSON.stringify(places)};
const run = (name, args) => {
  const { status, error } = spawnSync(name, args.map(String), { stdio: 'ignore' });
  if (error) throw error;
  return status === 0;
};
const connect = (where) => new Promise((done, fail) => {
  const socket = require('node:net').connect(where, () => { socket.destroy(); done(true); });
  socket.once('error', fail);
  socket.setTimeout(3000, () => { socket.destroy(); fail(new Error('silent')); });
});
const judged = ${JSON.stringify(Object.keys(attempts).filter((name) => !(name in writings)))};
module.exports = (async () => {
  const reached = [];
  let tried = 0;
  for (const [name, attempt] of Object.entries({
${Object.entries(attempts)
  .map(([name, code]) => {
    const statements = code.split('; ');
    const last = statements.pop();
    return `    ${JSON.stringify(name)}: async () => { ${statements.map((each) => `${each};`).join(' ')} return ${last}; },`;
  })
  .join('\n')}
  })) {
    tried++;
    try {
      const got = await attempt();
      if (judged.includes(name) && got) reached.push(name);
    } catch {}
  }
  for (const name of ['keys', 'netrc', 'disk']) fs.rmSync(name, { force: true });
  console.log('REACHED ' + JSON.stringify(reached));
  console.log('TRIED ' + tried);
  return { reached, tried };
})();
`;
}

async function listen(where: { port: number } | { path: string }): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}).end('KEY'));
  server.listen('port' in where ? { port: where.port, host: '0.0.0.0' } : where);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function startVictim(cwd: string): Promise<ChildProcess> {
  const victim = spawn('sleep', ['1000'], {
    cwd,
    env: { VICTIM: 'KEY', PATH: process.env.PATH },
    argv0: 'victim',
    stdio: 'ignore',
  });
  await once(victim, 'spawn');
  onTestFinished(() => void victim.kill('SIGKILL'));
  return victim;
}

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

/** Whether a process with this in its command line runs. */
function isRunning(text: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    });
}
