import { baseNameOf, childOf, directoryOf, upwardFrom } from '#code/resolve/repository-path.ts';
import type { Tree } from '#code/resolve/tree.ts';

const projectFiles = ['pyproject.toml', 'setup.py', 'setup.cfg'];

/**
 * `tests/docker/run.py` that imports `docker.errors` means the installed package, not its own folder, unless that folder is a package at
 * the top of a project.
 */
export function meansInstalled(specifier: string, file: string, tree: Tree): boolean {
  const [first = ''] = specifier.split('.');
  const folder = [...upwardFrom(directoryOf(file))].find((each) => baseNameOf(each) === first);
  if (folder === undefined || first === '') return false;
  const above = directoryOf(folder);
  const isTop =
    above === '' ||
    baseNameOf(above) === 'src' ||
    projectFiles.some((name) => tree.blob(childOf(above, name)) !== undefined);
  return !isTop;
}
