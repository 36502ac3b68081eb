import { join } from 'node:path';

/** Where one ecosystem keeps programs and downloaded packages. Logins beside them are not listed, so they stay hidden. */
interface Ecosystem {
  /** Below the home folder. */
  readonly home: readonly string[];
  /** Variables that name another folder, and what of it is shown; `''`: all of it. */
  readonly variables: Readonly<Record<string, readonly string[]>>;
  /** Settings below the home folder, shown unless they hold a login. */
  readonly settings?: readonly string[];
}

const ecosystems: readonly Ecosystem[] = [
  // Node: version managers and package managers. `.npmrc` often has a token.
  {
    home: ['.nvm', '.volta', '.fnm', '.local/share/fnm', '.n', '.npm/_cacache', '.npm-global', '.node'],
    variables: { NVM_DIR: [''], VOLTA_HOME: [''], FNM_DIR: [''], npm_config_cache: ['_cacache'] },
    settings: ['.npmrc'],
  },
  {
    home: ['.local/share/pnpm', '.pnpm-store', '.cache/pnpm', '.cache/node/corepack', '.cache/ms-playwright'],
    variables: { PNPM_HOME: [''], COREPACK_HOME: [''], PLAYWRIGHT_BROWSERS_PATH: [''] },
  },
  { home: ['.yarn/berry', '.cache/yarn', '.bun', '.cache/deno', '.deno'], variables: { BUN_INSTALL: [''] } },
  // Version managers of many languages.
  {
    home: [
      '.asdf',
      '.local/share/mise',
      '.local/share/rtx',
      '.nix-profile',
      '.sdkman',
      '.jenv',
      '.tool-versions',
    ],
    variables: { ASDF_DIR: [''], ASDF_DATA_DIR: [''], MISE_DATA_DIR: [''], SDKMAN_DIR: [''] },
  },
  // Python. `pip.conf` and `.pypirc` may hold logins.
  {
    home: [
      ...['.pyenv', '.local/lib', '.local/share/uv', '.local/pipx', '.local/share/pipx', '.cache/pip'],
      ...['.cache/uv', '.cache/pypoetry', '.cache/pre-commit', '.local/share/virtualenvs', 'miniconda3'],
      ...['anaconda3', 'miniforge3', '.conda/pkgs', '.rye', '.local/share/hatch'],
    ],
    variables: { PYENV_ROOT: [''], VIRTUAL_ENV: [''], CONDA_PREFIX: [''], PIP_CACHE_DIR: [''] },
    settings: ['.config/pip/pip.conf', '.pip/pip.conf', '.config/uv/uv.toml'],
  },
  // Rust. `credentials.toml` lies beside these.
  {
    home: ['.rustup', '.cargo/bin', '.cargo/registry', '.cargo/git', '.cargo/env'],
    variables: { RUSTUP_HOME: [''], CARGO_HOME: ['bin', 'registry', 'git', 'env'] },
    settings: ['.cargo/config.toml', '.cargo/config'],
  },
  {
    home: ['go', 'sdk'],
    variables: { GOPATH: [''], GOROOT: [''], GOMODCACHE: [''] },
    settings: ['.config/go/env'],
  },
  // JVM. `settings.xml` and `gradle.properties` may hold logins.
  {
    home: [
      '.m2/repository',
      '.m2/wrapper',
      '.gradle/wrapper',
      '.gradle/jdks',
      '.ivy2/cache',
      '.cache/coursier',
    ],
    variables: {
      JAVA_HOME: [''],
      GRADLE_USER_HOME: ['wrapper', 'jdks'],
      GRADLE_HOME: [''],
      MAVEN_HOME: [''],
    },
    settings: ['.m2/settings.xml', '.gradle/gradle.properties'],
  },
  { home: ['Android/Sdk'], variables: { ANDROID_HOME: [''], ANDROID_SDK_ROOT: [''] } },
  {
    home: ['.nuget/packages', '.dotnet', '.local/share/NuGet/v3-cache'],
    variables: { NUGET_PACKAGES: [''], DOTNET_ROOT: [''] },
    settings: ['.nuget/NuGet/NuGet.Config'],
  },
  {
    home: ['.rbenv', '.rvm', '.gem/ruby', '.local/share/gem', '.bundle/cache', '.cache/bundle'],
    variables: { RBENV_ROOT: [''], GEM_HOME: [''] },
    settings: ['.gemrc'],
  },
  {
    home: ['.composer/cache', '.cache/composer', '.config/composer/vendor', '.composer/vendor'],
    variables: { COMPOSER_CACHE_DIR: [''] },
  },
  {
    home: ['.ghcup', '.stack', '.cabal/packages', '.opam', '.mix', '.hex/packages', '.juliaup'],
    variables: {},
  },
  // Not an ecosystem: programs a person installed, and how git names them.
  {
    home: ['.local/bin', 'bin'],
    variables: {
      SSL_CERT_FILE: [''],
      SSL_CERT_DIR: [''],
      NODE_EXTRA_CA_CERTS: [''],
      CODEX_CA_CERTIFICATE: [''],
    },
    settings: ['.gitconfig', '.config/git/config'],
  },
];

/** Gradle writes beside its caches; this variable names a copy it only reads. */
export const gradleCaches = { home: '.gradle/caches', variable: 'GRADLE_RO_DEP_CACHE' };

export interface ToolFolders {
  /** Readable as they are. */
  readonly folders: readonly string[];
  /** Readable unless `holdsLogin` says otherwise of their text. */
  readonly settings: readonly string[];
}

/** Package caches and tool chains of a person, whether they exist or not. */
export function toolFolders(home: string, env: Readonly<Record<string, string | undefined>>): ToolFolders {
  const named = ecosystems.flatMap(({ variables }) =>
    Object.entries(variables).flatMap(([name, parts]) => {
      const folders = (env[name] ?? '').split(':').filter((path) => path.startsWith('/'));
      return folders.flatMap((folder) => parts.map((part) => join(folder, part)));
    }),
  );
  return {
    folders: [
      ...new Set([...ecosystems.flatMap((each) => each.home.map((path) => join(home, path))), ...named]),
    ],
    settings: ecosystems.flatMap(({ settings = [] }) => settings.map((path) => join(home, path))),
  };
}

/** A file of settings that also holds a login stays hidden as a whole. */
export function holdsLogin(text: string): boolean {
  return /_auth|token|passw|secret|extraheader|:\/\/[^\s/@]{1,200}@/i.test(text);
}
