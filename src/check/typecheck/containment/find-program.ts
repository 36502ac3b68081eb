import { existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Checkout } from './checkout.ts';

/** A program of the project's virtual environment, else of PATH. Never one from the repository. */
export async function findProgram(
  name: string,
  checkout: Checkout,
): Promise<{ path: string; origin: 'project' | 'path' } | null> {
  const [folder, suffix] = process.platform === 'win32' ? ['Scripts', '.exe'] : ['bin', ''];
  for (const venv of checkout.dir === null ? [] : ['.venv', 'venv']) {
    const path = join(checkout.dir ?? '', venv, folder, name + suffix);
    checkout.looked.note(path);
    // Checks the whole environment: an interpreter loads packages from it.
    if (isFile(path) && !(await checkout.isTracked(venv)) && !(await checkout.isTracked(path)))
      return { path, origin: 'project' };
  }
  for (const dir of (process.env.PATH ?? '').split(delimiter).filter((each) => isAbsolute(each))) {
    const path = join(dir, name + suffix);
    checkout.looked.note(path);
    if (isFile(path) && !(await checkout.isTracked(path))) return { path, origin: 'path' };
  }
  return null;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
