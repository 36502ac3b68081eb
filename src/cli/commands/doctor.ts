import { diagnoseCache, diagnoseConfig, findRepository } from '#app/doctor/surroundings.ts';
import {
  diagnoseGit,
  diagnoseNode,
  diagnoseParsers,
  diagnosePython,
  diagnoseTypeScript,
} from '#app/doctor/tools.ts';
import { thisHost } from '#app/host.ts';
import { readOwnPackage } from '#app/own-package.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import type { Paint } from '#cli/terminal/paint.ts';
import { wrap } from '#cli/terminal/wrap.ts';
import type { LoadedConfig, Origin } from '#config/read-config.ts';
import { configSettings } from '#config/shape.ts';
import type { Diagnosis, DoctorReport } from '#schema/command-reports.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import { cacheDir } from '#schema/paths.ts';
import type { doctorTable } from './doctor.table.ts';

export const run: Run<typeof doctorTable> = async (invocation) => {
  const report = await examine(invocation);
  const { globals, terminal } = invocation;
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderReport(report, terminal.paint, terminal.width));
  return exitCodeOf(report);
};

async function examine({ cwd, env }: Pick<Invocation, 'cwd' | 'env'>): Promise<DoctorReport> {
  const git = await diagnoseGit();
  const { repository, diagnosis: repositoryDiagnosis } = await findRepository(cwd, git);
  const root = repository?.workTree ?? null;
  const { config, diagnosis: configDiagnosis } = await diagnoseConfig(root, env);
  const checkers =
    config?.values.confirm === 'none'
      ? [{ name: 'types', status: 'skipped' as const, found: 'confirm is "none"', hint: '' }]
      : [diagnoseTypeScript(root), await diagnosePython()];
  const checks: Diagnosis[] = [
    git,
    diagnoseNode(process.versions.node, readOwnPackage().engines.node),
    ...(await diagnoseParsers()),
    ...checkers,
    diagnoseCache(cacheDir(thisHost(env))),
    repositoryDiagnosis,
    configDiagnosis,
  ];
  return {
    schema: 'joinery/doctor@1',
    status: checks.some(({ status }) => status === 'fail') ? 'fail' : 'pass',
    checks,
    settings: config ? listSettings(config) : [],
  };
}

function listSettings({ values, origin }: LoadedConfig): DoctorReport['settings'] {
  return configSettings()
    .filter(({ key }) => key !== '$schema')
    .map(({ key }) => {
      const value = key
        .split('.')
        .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], values);
      return { key, value: value ?? null, origin: describeOrigin(origin(key)) };
    });
}

function describeOrigin(origin: Origin | undefined): string {
  if (!origin || origin.kind === 'default') return 'default';
  return `${origin.kind} ${origin.name}`;
}

function exitCodeOf({ checks }: DoctorReport): ExitCode {
  const failed = checks.filter(({ status }) => status === 'fail');
  if (failed.length === 0) return exitCodes.ok;
  return failed.every(({ name }) => name === 'config') ? exitCodes.usage : exitCodes.environment;
}

const MARKS = {
  pass: ['green', 'ok'],
  warn: ['yellow', 'warn'],
  fail: ['red', 'FAIL'],
  skipped: ['dim', '-'],
} as const;

function renderReport({ checks, settings, status }: DoctorReport, paint: Paint, width: number): string {
  const column = Math.max(...checks.map(({ name }) => name.length)) + 2;
  const indent = 6 + column;
  const lines = checks.flatMap(({ name, status: mark, found, hint }) => {
    const [style, word] = MARKS[mark];
    const [first = '', ...rest] = found.split('\n').flatMap((line) => wrap(line, width - indent));
    const advice = hint === '' ? [] : wrap(`→ ${hint}`, width - indent);
    return [
      `${paint(style, word.padEnd(6))}${name.padEnd(column)}${first}`,
      ...[...rest, ...advice].map((line) => ' '.repeat(indent) + line),
    ];
  });
  const keyColumn = Math.max(0, ...settings.map(({ key }) => key.length)) + 2;
  const rows = settings.map(({ key, value, origin }) => {
    const text = value === null ? 'not set' : JSON.stringify(value);
    return `  ${key.padEnd(keyColumn)}${text}  ${paint('dim', `(${origin})`)}`;
  });
  const verdict =
    status === 'pass' ? 'Everything required is there.' : 'Something required is missing: see FAIL above.';
  return [...lines, ...(rows.length > 0 ? ['', 'Settings:', ...rows] : []), '', verdict].join('\n');
}
