import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Looked } from '#check/cache/looked.ts';
import { compilers } from '#check/typecheck/compilers/compilers.ts';
import { checkerEnvironment } from '#check/typecheck/containment/checker-environment.ts';
import type { Checkout } from '#check/typecheck/containment/checkout.ts';
import { findProgram } from '#check/typecheck/containment/find-program.ts';
import { configuredTools } from '#check/typecheck/python/tools.ts';
import { rungsFor } from '#check/typecheck/typescript/ladder.ts';
import type { Repository } from '#git/call/repository.ts';
import { readBoundedFile } from '#lib/read-bounded-file.ts';
import { askProgram } from '#process/ask-program.ts';
import type { Diagnosis } from '#schema/command-reports.ts';

const probeLimitMs = 10_000;

/** The type checkers that `check` would use here, found by the same search. */
export async function diagnoseCheckers(repository: Repository | null): Promise<Diagnosis[]> {
  const checkout = checkoutOf(repository);
  return [
    await diagnoseTypeScript(checkout),
    ...(await diagnosePython(checkout)),
    await diagnoseCompilers(checkout),
  ];
}

function checkoutOf(repository: Repository | null): Checkout {
  const dir = repository?.workTree ?? null;
  return {
    dir,
    looked: new Looked(),
    worktrees: dir === null ? [] : [dir],
    async isTracked(path) {
      const inside = dir === null ? '..' : relative(dir, resolve(dir, path));
      if (repository === null || inside.startsWith('..') || isAbsolute(inside)) return false;
      return (await repository.git.text(['ls-files', '--', inside])) !== '';
    },
  };
}

async function diagnoseTypeScript(checkout: Checkout): Promise<Diagnosis> {
  const name = 'types: TypeScript';
  const [first] = await rungsFor(checkout, '.');
  if (!first) {
    const hint = 'npm install --save-dev typescript';
    return { name, status: 'warn', found: 'no compiler: TypeScript is judged by facts alone', hint };
  }
  const { version, origin, packageDir } = first;
  const where =
    origin === 'project'
      ? `of this project, ${dirname(dirname(packageDir))}`
      : 'that comes with Joinery; the project has none installed';
  return { name, status: 'pass', found: `${version} ${where}`, hint: '' };
}

async function diagnosePython(checkout: Checkout): Promise<Diagnosis[]> {
  const name = 'types: Python';
  const { dir } = checkout;
  const read = async (file: string) =>
    dir !== null && existsSync(join(dir, file)) ? readBoundedFile(join(dir, file)) : null;
  const tools = await configuredTools(read, async (text) =>
    [...text.matchAll(/^\[([^\]\n]+)\]/gm)].map(([, section = '']) => [section, {}] as const),
  );
  if (tools.length === 0) {
    const found = 'no settings of mypy or pyright at the top: Python is judged by facts alone';
    return [{ name, status: 'skipped', found, hint: '' }];
  }
  return Promise.all(
    tools.map(async (tool): Promise<Diagnosis> => {
      if ('unreadable' in tool) return { name, status: 'warn', found: tool.unreadable, hint: '' };
      const program = await findProgram(tool.name, checkout);
      const set = `${tool.name}, set up in ${tool.project},`;
      if (!program) {
        const hint = `install it into .venv or on PATH: pip install ${tool.name}`;
        return { name, status: 'warn', found: `${set} is not installed: facts alone decide`, hint };
      }
      const version = await versionOf(program.path);
      return version === null
        ? { name, status: 'warn', found: `${set} does not start: ${program.path}`, hint: '' }
        : {
            name,
            status: 'pass',
            found: `${version} (${program.path}), set up in ${tool.project}`,
            hint: '',
          };
    }),
  );
}

/** Compilers of other languages, which `check` uses where it finds them. */
async function diagnoseCompilers(checkout: Checkout): Promise<Diagnosis> {
  const name = 'types: compilers';
  const found: string[] = [];
  const missing: string[] = [];
  for (const compiler of compilers)
    ((await findProgram(compiler.program, checkout)) ? found : missing).push(compiler.name);
  if (found.length === 0)
    return { name, status: 'skipped', found: `none of ${missing.join(', ')} is installed`, hint: '' };
  const rest = missing.length === 0 ? '' : `; not installed: ${missing.join(', ')}`;
  return { name, status: 'pass', found: `${found.join(', ')}${rest}`, hint: '' };
}

async function versionOf(program: string): Promise<string | null> {
  const said = await askProgram({
    argv: [program, '--version'],
    cwd: tmpdir(),
    env: checkerEnvironment(),
    timeoutMs: probeLimitMs,
    maxBytes: 100_000,
  });
  return said?.trim().split('\n')[0] ?? null;
}
