import { isCode, isFixture, isInTestFolder, isTestCode } from './test-path.ts';

/** Code that tests test: no test, no data of one, no settings. */
export function isSource(path: string): boolean {
  const isSettings =
    /(^|\/)[\w.-]{1,80}\.config\.\w{1,5}$|(^|\/)(conftest|setup|noxfile)\.py$|(^|\/)scripts\//.test(path);
  return isCode(path) && !isTestCode(path) && !isInTestFolder(path) && !isFixture(path) && !isSettings;
}
