import { isCode, isFixture, isInTestFolder, isTestCode } from './test-path.ts';

/** Code under test: not a test, not test data, not settings. */
export function isSource(path: string): boolean {
  const isSettings =
    /(^|\/)[\w.-]{1,80}\.config\.\w{1,5}$|(^|\/)(conftest|setup|noxfile)\.py$|(^|\/)scripts\//.test(path);
  return isCode(path) && !isTestCode(path) && !isInTestFolder(path) && !isFixture(path) && !isSettings;
}
