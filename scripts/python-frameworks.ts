import { spawnSync } from 'node:child_process';

/** Debian's packages, which only Debian's own interpreter finds. */
export const frameworkPackages =
  'python3-django python3-djangorestframework python3-alembic python3-sqlalchemy python3-flask python3-fastapi python3-requests python3-httpx';

/** An interpreter with the frameworks that serve as oracles in tests; null if there is none. */
export function pythonWithFrameworks(): string | null {
  const imports = 'import alembic, django, fastapi, flask, httpx, requests, rest_framework, sqlalchemy';
  return (
    ['python3', '/usr/bin/python3'].find((python) => spawnSync(python, ['-c', imports]).status === 0) ?? null
  );
}
