import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLab, step, workflowOf } from '#test/support/workflow-lab.ts';
import { listedRuns } from '#workflow/engine/catalogue-table.ts';
import { findRuns } from '#workflow/engine/find-runs.ts';
import { publishedCommand } from './built.ts';
import type { Part } from './part.ts';
import { judge, median, renderTable } from './table.ts';

export const workflow: Part = {
  name: 'workflow',
  summary: 'an advance, a long run, ten thousand runs, the first answer of the tool server',
  run: runWorkflow,
};

type Row = readonly [label: string, measured: string, limit: string, verdict: string];

async function runWorkflow(): Promise<string> {
  // In memory if that is possible: the disk is not measured.
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'joinery-bench-'));
  try {
    const rows = [
      ...(await longRun(root)),
      ...manyRuns(join(root, 'many'), 10_000),
      ...(await firstAnswer(root)),
    ];
    return renderTable(['', 'measured', 'limit', 'verdict'], rows);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const steps = 1000;

/** CPU time of each advance, without the wait for the disk. */
async function longRun(root: string): Promise<Row[]> {
  const lab = openLab(root);
  const loop = {
    type: 'loop',
    id: 'loop',
    title: 'L',
    loop: { type: 'for', count: steps, maxIterations: steps },
    body: [step('work')],
  };
  let answer = lab.start(workflowOf([loop]), { notes: 'x'.repeat(2000) });
  const costs: number[] = [];
  for (let n = 0; n < steps; n++) {
    const before = process.cpuUsage();
    answer = await lab.go(answer, { notes: `pass ${n}: ${'what was found. '.repeat(20)}`, context: { n } });
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  lab.close();
  const quarter = steps / 4;
  const [first, last] = [median(costs.slice(0, quarter)), median(costs.slice(-quarter))];
  return [
    ['advance, CPU (median)', `${median(costs).toFixed(2)} ms`, '10 ms', judge(median(costs) <= 10)],
    [`${steps} steps: last quarter / first`, (last / first).toFixed(2), '1.2', judge(last / first <= 1.2)],
  ];
}

function manyRuns(folder: string, count: number): Row[] {
  const lab = openLab(folder, { isHasty: true });
  const flow = workflowOf([step('one'), step('two')]);
  for (let n = 0; n < count; n++) lab.start(flow, { about: `matter ${n}` });
  const listed = timed(() => listedRuns(lab.store).length);
  const found = timed(() => findRuns(lab.store, { query: 'lab goal matter' }).totalEligible);
  lab.close();
  const limit = '1000 ms';
  return [
    [`${count} runs listed`, `${listed.toFixed(0)} ms`, limit, judge(listed < 1000)],
    [`${count} runs searched`, `${found.toFixed(0)} ms`, limit, judge(found < 1000)],
  ];
}

/** From the start of the process to the answer to tools/list. */
async function firstAnswer(root: string): Promise<Row[]> {
  const asked: Asked[] = [];
  for (let n = 0; n < 7; n++) asked.push(await askForTools(publishedCommand(), root));
  const wall = median(asked.slice(1).map((each) => each.wall));
  const cpu = median(asked.slice(1).map((each) => each.cpu));
  return [
    ['tools/list after the start of joinery mcp', `${wall.toFixed(0)} ms`, '300 ms', judge(wall <= 300)],
    ['the same in CPU, for a busy machine', `${cpu.toFixed(0)} ms`, '300 ms', judge(cpu <= 300)],
  ];
}

interface Asked {
  readonly wall: number;
  readonly cpu: number;
}

/** User and system time of a process, in ms; Linux counts in hundredths of a second. */
function cpuOf(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10;
}

function askForTools(executable: string, cwd: string): Promise<Asked> {
  const started = performance.now();
  const child = spawn(process.execPath, [executable, 'mcp'], { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'bench', version: '1' };
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list' });
  return new Promise((resolve) => {
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      text += data;
      if (!text.includes('"id":2')) return;
      resolve({ wall: performance.now() - started, cpu: cpuOf(child.pid) });
      child.stdin.end();
    });
  });
}

function timed(body: () => unknown): number {
  const started = performance.now();
  body();
  return performance.now() - started;
}
