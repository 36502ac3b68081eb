import { posix } from 'node:path';
import { escapePattern } from '#lib/escape-pattern.ts';
import { compileGlobs } from '#lib/glob.ts';

/** Files that a runner, a bundler or make reads because of their name, besides the gate inputs. */
const known = compileGlobs(
  [
    '{postcss,tailwind,webpack,rollup,rolldown,rspack,esbuild,tsup,next,nuxt,svelte,astro,metro,remix}.config.*',
    '.postcssrc*',
    '.env',
    '.env.*',
    '.envrc',
    '.gitattributes',
    '.{nvmrc,node-version,python-version,ruby-version,tool-versions}',
    '{,.}mise.toml',
    'rust-toolchain{,.toml}',
    '*.mk',
    '*.pth',
    'vitest.{setup,global}.*',
    'jest.{setup,preset}.*',
    '{setupTests,setup-tests,globalSetup}.*',
  ].map((name) => `**/${name}`),
);

export function isLoadedByName(path: string): boolean {
  return known(path);
}

/** Modules that Python or pytest import themselves: a file with such a name on the path replaces them. */
const libraries = new Set(
  `abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 calendar cmath cmd code codecs codeop
  collections colorsys concurrent configparser contextlib contextvars copy copyreg csv ctypes dataclasses datetime dbm decimal
  difflib dis doctest email encodings enum errno faulthandler filecmp fileinput fnmatch fractions functools gc getopt getpass
  gettext glob graphlib gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json keyword
  linecache locale logging lzma mailbox marshal math mimetypes mmap multiprocessing netrc numbers opcode operator optparse os
  pathlib pdb pickle pkgutil platform plistlib posixpath pprint profile pstats pty pwd py_compile pydoc queue quopri random re
  reprlib resource runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl
  stat statistics string stringprep struct subprocess symtable sys sysconfig tarfile tempfile textwrap threading time timeit
  token tokenize tomllib trace traceback tracemalloc types typing unicodedata unittest urllib uuid venv warnings wave weakref
  webbrowser xml zipapp zipfile zipimport zlib zoneinfo
  pytest _pytest pluggy iniconfig packaging exceptiongroup tomli pygments coverage attr attrs hypothesis nose xdist
  sitecustomize usercustomize setuptools pkg_resources`.split(/\s+/),
);

export function shadowsLibrary(path: string, roots: readonly string[]): boolean {
  return libraries.has(importedAs(path, roots) ?? '');
}

/** Python also imports compiled modules, `app.cpython-312-x86_64-linux-gnu.so` before `app.py`. */
const pythonEnding = /(\/__init__)?(\.(cpython-[\w-]{1,60}|abi3|cp\d{2,4}-\w{1,20}))?\.(py|pyc|so|pyd)$/;
const compiledModule = /\.(so|pyd)$/;

/** The name by which a Python module is imported from everywhere; null for others. `roots`: where imports start. */
export function importedAs(path: string, roots: readonly string[]): string | null {
  if (!pythonEnding.test(path)) return null;
  const parts = path.replace(pythonEnding, '').split('/');
  const name = parts.pop() ?? '';
  return ['', 'src', 'lib', 'python', ...roots].includes(parts.join('/')) ? name : null;
}

/** Extensions that complete an import without one, in order. */
const endings = ['', '.mjs', '.js', '.cjs', '.mts', '.ts', '.cts', '.jsx', '.tsx', '.json', '.node'];

/**
 * Files that an import would no longer find if there is a file at `path`: `src/csv.js` for `import 'src/csv'`, a folder with
 * an index hidden by a file, a Python module hidden by a package.
 */
export function hiddenBy(path: string): string[] {
  if (pythonEnding.test(path)) {
    const stem = path.replace(pythonEnding, '');
    const isPackage = /\/__init__\.[^/]+$/.test(path);
    const source = isPackage ? `${stem}/__init__.py` : `${stem}.py`;
    return [...(isPackage ? [`${stem}.py`] : []), ...(compiledModule.test(path) ? [source] : [])];
  }
  const ending = endings.slice(1).find((each) => path.endsWith(each)) ?? '';
  if (ending === '' && /\.[^/]*$/.test(path)) return [];
  const stem = path.slice(0, path.length - ending.length);
  const after = endings.slice(endings.indexOf(ending) + 1);
  return [...after.map((each) => stem + each), ...endings.slice(1).map((each) => `${stem}/index${each}`)];
}

/** How a text refers to a file, with or without its extension: `'./csv'`, `'../src/csv.js'`; null if it needs no name. */
export function askedAs(path: string): RegExp | null {
  const { name, ext } = posix.parse(path);
  if (pythonEnding.test(path)) return null;
  if (name === 'index') return null;
  const [stem, ending] = [name, ext].map((part) => escapePattern(part));
  return new RegExp(`["'\`](?:[^"'\`\\n]*/)?${stem}(?:${ending})?["'\`]`);
}
