import { thisHost } from '#app/workplace/host.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { LoadedConfig, Origin } from '#config/read-config.ts';
import { configSettings } from '#config/shape.ts';
import { containmentHere } from '#process/containment.ts';
import { readOwnPackage } from '#process/own-package.ts';
import type { Diagnosis, DoctorReport } from '#schema/command-reports.ts';
import { typesAlone } from '#schema/confirm.ts';
import { cacheDir } from '#schema/paths.ts';
import { diagnoseCheckers } from './diagnose-checkers.ts';
import { diagnoseCache, diagnoseConfig, findRepository } from './diagnose-surroundings.ts';
import { diagnoseTests } from './diagnose-tests.ts';
import { diagnoseGit, diagnoseNode, diagnoseParsers, diagnoseSandbox } from './diagnose-tools.ts';

export async function examineHere({ cwd, env }: Pick<Surroundings, 'cwd' | 'env'>): Promise<DoctorReport> {
  const git = await diagnoseGit();
  const { repository, diagnosis: repositoryDiagnosis } = await findRepository(cwd, git);
  const root = repository?.workTree ?? null;
  const { config, diagnosis: configDiagnosis } = await diagnoseConfig(root, env);
  const checkers =
    config && typesAlone(config.values.confirm) === 'none'
      ? [{ name: 'types', status: 'skipped' as const, found: 'confirm does not name them', hint: '' }]
      : await diagnoseCheckers(repository);
  const checks: Diagnosis[] = [
    git,
    diagnoseNode(process.versions.node, readOwnPackage().engines.node),
    ...(await diagnoseParsers()),
    ...checkers,
    diagnoseSandbox(containmentHere(env)),
    diagnoseCache(cacheDir(thisHost(env))),
    repositoryDiagnosis,
    ...(await diagnoseTests(repository, env)),
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
