import { delimiter, isAbsolute } from 'node:path';

/** Variables a checker needs to find itself, its libraries and a folder for its files. None of them is secret. */
const passedOn =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|VIRTUAL_ENV|CONDA_PREFIX|PYENV_ROOT|PYENV_VERSION|ASDF_DIR|ASDF_DATA_DIR|XDG_CACHE_HOME|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|SystemRoot|SYSTEMROOT|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE)$/;

/** A relative folder in one of these would be a folder of the branch. */
const namesFolders = /^(?:PATH|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH)$/;

/** The environment of checkers: only what they need, never Joinery's whole environment. */
export function checkerEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const inherited = Object.entries(env).flatMap(([name, value = '']): [string, string][] => {
    if (!passedOn.test(name)) return [];
    if (!namesFolders.test(name)) return [[name, value]];
    return [[name, value.split(delimiter).filter(isAbsolute).join(delimiter)]];
  });
  return {
    ...Object.fromEntries(inherited),
    PYTHONSAFEPATH: '1',
    // Python iterates sets in the same order every time, so that the same tree gets the same answer.
    PYTHONHASHSEED: '0',
    PYTHONUTF8: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    // A checker that wraps a package must not download that package.
    npm_config_offline: 'true',
  };
}
