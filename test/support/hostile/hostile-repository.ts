import { GitRepository } from '#test/support/git-repository.ts';
import type { Trap } from '#test/support/trap.ts';

/** A repository with hostile content, and the command to run on it. */
export interface HostileRepository {
  readonly name: string;
  build(repository: GitRepository, trap: Trap): void;
  /** Default: `check main a b`. */
  readonly args?: readonly string[];
}

/** Two branches that fit together. */
export function startProject(): GitRepository {
  const repository = new GitRepository();
  repository.commit({
    'package.json': '{"name":"x","version":"1.0.0"}\n',
    'tsconfig.json': '{"compilerOptions":{"types":[],"strict":true},"include":["*.ts"]}\n',
    'a.ts': 'export const a: number = 1;\n',
    'a.py': 'a = 1\n',
  });
  repository.branch('a', { 'b.ts': "import { a } from './a';\nexport const b = a;\n", 'b.py': 'b = 1\n' });
  repository.branch('b', { 'c.ts': 'export const c = 1;\n' });
  return repository;
}
