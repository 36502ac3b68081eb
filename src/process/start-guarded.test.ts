import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { type GuardedProgram, startGuarded } from './start-guarded.ts';
import {
  endProcesses,
  findProcesses,
  identityOf,
  isStopped,
  listProcesses,
  signalProcess,
  wakeGuards,
} from './sweep.js';

const env = { PATH: process.env.PATH ?? '' };
let marks = 0;

function programFor(script: string, more: Partial<GuardedProgram> = {}): GuardedProgram & { mark: string } {
  const mark = `test-${process.pid}-${++marks}/a/1`;
  onTestFinished(async () => {
    await endProcesses({ root: null, mark }, { isPolite: false });
  });
  return { argv: ['sh', '-c', script], cwd: temporaryFolder(), env, mark, box: null, ...more };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(10);
}

const alive = (mark: string) => findProcesses({ root: null, mark }).length;

function text(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    let all = '';
    stream.on('data', (chunk) => {
      all += chunk;
    });
    stream.on('close', () => resolve(all));
  });
}

describe('a guarded program', () => {
  test("has its streams and its environment, and nothing of Joinery's", async () => {
    const program = programFor(
      'cat; echo "$GREETING $JOINERY_ATTEMPT" >&2; [ -e /proc/$$/fd/3 ] && echo leak; exit 7',
      {
        hasInput: true,
        env: { ...env, GREETING: 'hello' },
      },
    );
    const guarded = startGuarded(program);
    const [stdout, stderr] = [text(guarded.stdout), text(guarded.stderr)];
    guarded.stdin?.end('given\n');
    expect(await guarded.ended).toEqual({
      how: 'exited',
      code: 7,
      signal: null,
      leftovers: [],
      survivors: [],
      incidents: [],
      cpuMs: process.platform === 'linux' ? expect.any(Number) : null,
    });
    // No fourth stream: the program does not see the pipe between guard and Joinery.
    expect(await stdout).toBe('given\n');
    expect(await stderr).toMatch(new RegExp(`^hello ${program.mark}#\\w+\n$`));
  });

  test('that does not exist is not started, and the end says why', async () => {
    const end = await startGuarded({ ...programFor(''), argv: ['no-such-program-here'] }).ended;
    expect(end).toMatchObject({ how: 'not-started', reason: expect.stringContaining('ENOENT') });
  });

  test('that cannot be started for lack of file descriptors does not crash Joinery', async () => {
    const module = fileURLToPath(new URL('start-guarded.ts', import.meta.url));
    const source = `import { openSync } from 'node:fs';
      import { startGuarded } from ${JSON.stringify(module)};
      try { for (;;) openSync('/dev/null'); } catch {}
      const { ended } = startGuarded({ argv: ['true'], cwd: '/', env: {}, mark: 'none/left/1', box: null });
      process.stdout.write(JSON.stringify(await ended));`;
    const script = 'ulimit -n 100; exec "$0" --input-type=module --eval "$1"';
    const text = execFileSync('sh', ['-c', script, process.execPath, source], { encoding: 'utf8' });
    expect(JSON.parse(text)).toMatchObject({ how: 'not-started', reason: expect.stringContaining('EMFILE') });
  });

  test('that ends leaves no process behind; the end names those it left', async () => {
    const program = programFor('setsid sleep 1000 & (nohup sleep 1001 >/dev/null 2>&1 &) ; sleep 0.2');
    const end = await startGuarded(program).ended;
    expect(end).toMatchObject({ how: 'exited', code: 0, leftovers: [{ name: 'sleep' }, { name: 'sleep' }] });
    expect(alive(program.mark)).toBe(0);
  });

  test.for([
    ['1,100 processes', 'n=0; while [ $n -lt 1100 ]; do sleep 1000 & n=$((n+1)); done'],
    [
      'a chain of 1,100 processes, each in a session of its own,',
      `cat > chain.sh <<'END'
[ "$1" -gt 1 ] && setsid sh chain.sh $(($1-1)) & [ "$1" -gt 1 ] || touch last
sleep 1000
END
setsid sh chain.sh 550 & while [ ! -e last ]; do sleep 0.05; done`,
    ],
  ])('that leaves %s behind: all are ended and named', async ([, script]) => {
    const program = programFor(script ?? '');
    const end = await startGuarded(program).ended;
    expect(end).toMatchObject({ how: 'exited', code: 0, survivors: [], incidents: [] });
    expect(end.how === 'exited' && end.leftovers.length).toBeGreaterThanOrEqual(1100);
    expect(alive(program.mark)).toBe(0);
  });

  test.for([
    ['that ignores SIGINT and SIGTERM', "trap '' INT TERM HUP; echo ready; while :; do sleep 1; done"],
    ['whose children set themselves apart', 'setsid sh -c "trap \'\' TERM; echo ready; sleep 1000"; :'],
    ['that forks without end', 'echo ready; f() { (sleep 0.05; f) & }; f; f; sleep 1000'],
    [
      'that forks into ever new sessions',
      "echo 'sleep 0.03; setsid sh f.sh &' > f.sh; echo ready; for n in 1 2 3; do setsid sh f.sh & done; sleep 1000",
    ],
  ])('%s is ended with all it started', async ([, script]) => {
    const program = programFor(script ?? '');
    const guarded = startGuarded(program);
    await new Promise((resolve) => guarded.stdout.once('data', resolve));
    const began = performance.now();
    guarded.kill();
    expect(await guarded.ended).toMatchObject({ how: 'exited' });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(alive(program.mark)).toBe(0);
  });

  test('gets a polite signal before it is killed', async () => {
    const guarded = startGuarded(programFor("trap 'echo tidied; exit 3' INT; echo ready; sleep 1000 & wait"));
    await new Promise((resolve) => guarded.stdout.once('data', resolve));
    const rest = text(guarded.stdout);
    guarded.kill();
    expect(await guarded.ended).toMatchObject({ code: 3 });
    expect(await rest).toBe('tidied\n');
  });

  test('that signals its own group reaches only itself', async () => {
    const end = await startGuarded(programFor('kill 0; sleep 5')).ended;
    expect(end).toMatchObject({ how: 'exited', signal: 'SIGTERM', incidents: [] });
  });

  test('that signals its guard is reported and continues', async () => {
    const end = await startGuarded(programFor('kill $PPID; sleep 0.2; exit 4')).ended;
    expect(end).toMatchObject({ how: 'exited', code: 4, incidents: ['its guard got SIGTERM'] });
  });

  test('that kills its guard is ended and reported', async () => {
    const program = programFor('kill -9 $PPID; sleep 1000');
    const end = await startGuarded(program).ended;
    expect(end).toMatchObject({ how: 'exited', code: null, incidents: ['its guard was killed'] });
    expect(alive(program.mark)).toBe(0);
  });

  test('that signals its guard endlessly is reported once', async () => {
    const script = 'n=0; while [ $n -lt 300 ]; do kill $PPID; n=$((n+1)); done; sleep 0.2';
    const end = await startGuarded(programFor(script)).ended;
    expect(end).toMatchObject({ how: 'exited', code: 0, incidents: ['its guard got SIGTERM'] });
  });

  test.for([
    ['stops its guard', 'kill -STOP $PPID; echo $PPID; sleep 1000', 'its guard was stopped'],
    [
      'keeps its guard from working',
      'trap "" INT TERM; kill -STOP $PPID; echo $PPID; while kill -STOP $PPID; do :; done; sleep 1000',
      'its guard did not answer',
    ],
  ] as const)('that %s is ended anyway', async ([, script, incident]) => {
    const program = programFor(script);
    const guarded = startGuarded(program);
    const guard = await new Promise((resolve) => guarded.stdout.once('data', resolve));
    await until(() => isStopped(Number(guard)));
    guarded.kill();
    expect(await guarded.ended).toMatchObject({
      how: 'exited',
      incidents: expect.arrayContaining([incident]),
    });
    expect(alive(program.mark)).toBe(0);
  });

  test('whose guard is slow to end it is waited for', async () => {
    const script =
      "trap 'kill -STOP $PPID; sleep 11.5; kill -CONT $PPID' INT; echo ready; while :; do sleep 0.1; done";
    const program = programFor(script);
    const guarded = startGuarded(program);
    await new Promise((resolve) => guarded.stdout.once('data', resolve));
    guarded.kill();
    expect(await guarded.ended).toMatchObject({ how: 'exited', signal: 'SIGTERM', incidents: [] });
    expect(alive(program.mark)).toBe(0);
  });

  test('may have children with line breaks in their names', async () => {
    const script = 'ln -s "$(command -v sleep)" "a\u2028b"; "./a\u2028b" 1000 & sleep 0.2; exit 5';
    const end = await startGuarded(programFor(script)).ended;
    expect(end).toMatchObject({ how: 'exited', code: 5, leftovers: [{ name: 'a\u2028b' }] });
  });

  test('does not end another program of the same attempt', async () => {
    const first = programFor('sleep 0.3');
    const second = startGuarded({ ...first, argv: ['sleep', '1000'] });
    await startGuarded(first).ended;
    const identity = await second.started;
    expect(identity && identityOf(identity.pid)?.start).toBe(identity?.start);
    second.kill();
    expect(await second.ended).toMatchObject({ how: 'exited', signal: 'SIGINT' });
  });

  test('whose output an escaped process holds open is not waited for', async () => {
    const folder = temporaryFolder();
    const script = `env -i setsid sh -c 'echo $$ > "${folder}/pid"; exec sleep 1000' & sleep 0.3`;
    const program = programFor(script);
    expect(await startGuarded(program).ended).toMatchObject({ how: 'exited', code: 0 });
    await until(() => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8') !== '');
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
  });
});

test('when Joinery is killed, everything is gone within ten seconds', async () => {
  const stubborn =
    "trap '' INT TERM; setsid sh -c \"trap '' TERM; sleep 1000\" & touch ready; while :; do sleep 1; done";
  const program = programFor(stubborn);
  const module = fileURLToPath(new URL('start-guarded.ts', import.meta.url));
  const source = `import { startGuarded } from ${JSON.stringify(module)}; startGuarded(${JSON.stringify(program)});`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'ignore' });
  await until(() => existsSync(join(program.cwd, 'ready')));
  expect(alive(program.mark)).toBeGreaterThan(1);
  parent.kill('SIGKILL');
  const began = performance.now();
  await until(() => alive(program.mark) === 0);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('when Joinery is killed after a guard was stopped, program and guard are gone once the guard is woken', async () => {
  const program = programFor('kill -STOP $PPID; echo $PPID > guard; sleep 1000');
  const module = fileURLToPath(new URL('start-guarded.ts', import.meta.url));
  const source = `import { startGuarded } from ${JSON.stringify(module)}; startGuarded(${JSON.stringify(program)});`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'ignore' });
  const guard = () => Number(readFileSync(join(program.cwd, 'guard'), 'utf8'));
  await until(() => existsSync(join(program.cwd, 'guard')) && guard() > 0 && isStopped(guard()));
  const gone = new Promise((resolve) => parent.once('exit', resolve));
  parent.kill('SIGKILL');
  await gone;
  wakeGuards('somebody-else');
  expect(isStopped(guard())).toBe(true);
  wakeGuards(program.mark);
  await until(() => alive(program.mark) === 0 && identityOf(guard()) === null);
});

describe('the sweep', () => {
  test('finds a mark itself and marks below it, and no other', async () => {
    const program = programFor('');
    const child = spawn('sleep', ['1000'], { env: { ...env, JOINERY_ATTEMPT: `${program.mark}#1` } });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [run = ''] = program.mark.split('/');
    await until(() => alive(program.mark) === 1);
    expect(alive(run)).toBe(1);
    expect(alive(`${run}/a`)).toBe(1);
    expect(alive(`${run}/a/10`)).toBe(0);
    expect(alive(run.slice(0, -1))).toBe(0);
  });

  test('spares a process that reused the pid of one it was looking for', async () => {
    const child = spawn('sleep', ['1000'], { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    const pid = child.pid ?? 0;
    const found = identityOf(pid);
    signalProcess({ pid, start: `${found?.start}0` }, 'SIGKILL');
    expect(findProcesses({ root: { pid, start: `${found?.start}0` }, mark: 'nobody' })).toEqual([]);
    expect(identityOf(pid)).toEqual(found);
    signalProcess({ pid, start: found?.start ?? '' }, 'SIGKILL');
    await until(() => identityOf(pid) === null);
  });

  test('finds the same processes where there is no /proc', () => {
    const own = (platform: NodeJS.Platform) => listProcesses(platform).find(({ pid }) => pid === process.pid);
    expect(own('darwin')).toMatchObject({ ppid: own('linux')?.ppid, group: own('linux')?.group });
  });
});
