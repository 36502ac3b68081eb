/**
 * Runs between Joinery and a program. It starts the program in a new session with the standard streams it was given, and holds a pipe to
 * Joinery: when that closes, for whatever reason, it ends the program and all it started.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { devNull } from 'node:os';
import { areGone, attemptVariable, endProcesses, findProcesses, identityOf, isFrame } from './sweep.js';

/** @typedef {{ argv: string[], cwd: string, env: Record<string, string>, mark: string, isMerged: boolean, isBoxed: boolean }} Order */
/** @typedef {import('./sweep.js').Identity} Identity */
/** @typedef {{ pid: number, name: string }} Named */

/** How long the children of an ended program may take to end. */
const farewellMs = 1000;

const control = new Socket({ fd: 3, readable: true, writable: true });
control.on('error', () => {});

/** @param {object} message */
const tell = (message) => control.write(`${JSON.stringify(message)}\n`);

/** @type {{ order: Order, root: Identity | null, hasExited: boolean, isEnding: boolean } | null} */
let state = null;

for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])) {
  process.on(signal, () => tell({ signalled: signal }));
}

let received = '';
control.setEncoding('utf8');
control.on('data', (text) => {
  received += text;
  for (let end = received.indexOf('\n'); end >= 0; end = received.indexOf('\n')) {
    const message = JSON.parse(received.slice(0, end));
    received = received.slice(end + 1);
    if (message.order) begin(message.order);
    else stop();
  }
});
control.on('close', stop);

/** @param {Order} order */
function begin(order) {
  const [program = '', ...args] = order.argv;
  const child = spawn(program, args, {
    cwd: order.cwd,
    env: { ...order.env, [attemptVariable]: order.mark },
    stdio: [0, 1, order.isMerged ? 1 : 2],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  state = { order, root: null, hasExited: false, isEnding: false };
  // Readers must see the end of a stream when the program closes it, not when the guard does.
  for (const fd of [0, 1, 2]) {
    closeSync(fd);
    openSync(devNull, 'r+');
  }
  child.once('error', (error) => {
    tell({ failed: error.message });
    control.end();
  });
  if (child.pid === undefined) return;
  state.root = identityOf(child.pid) ?? { pid: child.pid, start: '' };
  tell({ started: state.root });
  child.once('exit', (code, signal) => void finish({ code, signal }));
}

/** @param {{ code: number | null, signal: NodeJS.Signals | null }} exit */
async function finish(exit) {
  if (!state) return;
  state.hasExited = true;
  const target = targetOf(state);
  const wasEnding = state.isEnding;
  if (!wasEnding && (await areGone(target, farewellMs)))
    return say({ ...exit, leftovers: [], survivors: [] });
  const leftovers = wasEnding ? [] : findProcesses(target).filter((found) => !isFrame(found, target));
  say({ ...exit, leftovers, survivors: await endProcesses(target, { isPolite: false }) });
}

/** @param {{ order: Order, root: Identity | null }} state */
function targetOf({ order, root }) {
  return { root, mark: order.mark, isBoxed: order.isBoxed };
}

/** Called on request, or when Joinery is gone. */
async function stop() {
  // No program was started: without the pipe nothing keeps this process alive.
  if (!state) return void control.destroy();
  if (state.isEnding || state.hasExited) return;
  state.isEnding = true;
  const survivors = await endProcesses(targetOf(state));
  // A process that survives SIGKILL is blocked on a device; do not wait for it.
  if (!state.hasExited && survivors.length > 0) say({ code: null, signal: null, leftovers: [], survivors });
}

/** CPU time of the program and of all processes it has waited for, in milliseconds; null where the system does not report it. */
function childrenCpuMs() {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return null;
  }
}

/**
 * @param {{ code: number | null, signal: string | null, leftovers: readonly Named[], survivors: readonly Named[] }} end
 */
function say(end) {
  /** @param {readonly Named[]} found */
  const named = (found) => found.map(({ pid, name }) => ({ pid, name }));
  const [leftovers, survivors] = [named(end.leftovers), named(end.survivors)];
  // A sandbox does not wait for what ran in it, so that nobody counted its time.
  const cpuMs = state?.order.isBoxed ? null : childrenCpuMs();
  tell({ ended: { ...end, leftovers, survivors, cpuMs } });
  control.end();
}
