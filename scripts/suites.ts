import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { browserPath } from './browser.ts';
import { contractAgents, isInstalled } from './contract-agents.ts';
import { type ContractChecker, contractCheckers, isCheckerInstalled } from './contract-checkers.ts';
import { frameworkPackages, pythonWithFrameworks } from './python-frameworks.ts';

/** One npm script that runs tests: which files, how many samples, and what must be installed. */
export interface Suite {
  /** The command to type: `npm run test:wide`. */
  readonly command: string;
  /** Shown in the summary of the other suites. */
  readonly runs: string;
  /** Also runs lint, types and the search for unused code. */
  readonly checksCode: boolean;
  /** Which sizes `sample()` uses. */
  readonly sizes: 'normal' | 'wide' | 'soak';
  /** Fixed, so that the same commit gives the same result on any day; null draws a new one. */
  readonly seed: number | null;
  /** Globs of test files, and of those left to other suites. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Runs only the test files that import this module, directly or not. */
  readonly relatedTo?: string;
  /** One line for each missing program: what it is and how to install it. */
  readonly missing: () => readonly string[];
}

/** Tests that need only Node, npm and git. */
const everywhere = ['src/**/*.test.ts', 'test/**/*.test.ts'];
/** Kills, hostile work and whole runs: each of these files takes 15 seconds or more. */
const longTests = [
  'test/guarantees/**',
  'test/rules/every-scenario.test.ts',
  'test/cli/{agents,audit-run,check-opinion,check-tests,check-types,check-types-alarms,check-types-cost,check-unresolved-imports,ci-github,command-line,contract,cost,defect,evidence,gates-in-a-run}.test.ts',
  'test/cli/{fork,gates,ground-plan,integrate,mcp-install,plan,review,rework,run,run-acp-agent,run-challenge,run-review,run-spec,run-workflow,worked-example,workflow}.test.ts',
  'src/crew/{run-plan,steer/contract-changes}.test.ts',
  'src/crew/task/steps/{conduct,gate-attempt,gate-visitors,measure-attempt,verify-attempt}.test.ts',
  'src/{process/start-guarded,agents/drivers/acp/acp-driver,server/http/serve}.test.ts',
  'src/check/typecheck/typescript/against-tsc.test.ts',
  'test/repository/seventh-language.test.ts',
];
/** Tests that run the real programs of agents. */
const agentTests = 'test/agents/**';
/** Tests that use Python, type checkers, compilers, PostgreSQL, MariaDB or Perl, or that mount file systems. */
const checkerTests = 'test/checkers/**';
/** Tests that open the pages in a browser. */
const webTests = 'test/web/**';

const nothing = () => [];

export const suites = {
  test: {
    command: 'npm test',
    runs: 'lint, types, unused code, and the tests that need Node, npm and git only',
    checksCode: true,
    sizes: 'normal',
    seed: 1,
    include: everywhere,
    exclude: [...longTests, agentTests, checkerTests, webTests],
    missing: nothing,
  },
  long: {
    command: 'npm run test:long',
    runs: 'kills, hostile work and whole runs',
    checksCode: false,
    sizes: 'normal',
    seed: 1,
    include: longTests,
    exclude: [],
    missing: nothing,
  },
  wide: {
    command: 'npm run test:wide',
    runs: 'larger samples',
    checksCode: false,
    sizes: 'wide',
    seed: 2,
    include: everywhere,
    exclude: [agentTests, checkerTests, webTests],
    relatedTo: 'test/support/sampling.ts',
    missing: nothing,
  },
  agents: {
    command: 'npm run test:agents',
    runs: 'real agents',
    checksCode: false,
    sizes: 'wide',
    seed: 1,
    include: [`${agentTests}/*.test.ts`],
    exclude: [],
    missing: missingAgents,
  },
  checkers: {
    command: 'npm run test:checkers',
    runs: 'what needs Python and its frameworks, type checkers, compilers of six languages, PostgreSQL, MariaDB or Perl',
    checksCode: false,
    sizes: 'wide',
    seed: 1,
    include: [`${checkerTests}/*.test.ts`],
    exclude: [],
    missing: missingCheckers,
  },
  web: {
    command: 'npm run test:web',
    runs: 'the pages in a browser',
    checksCode: false,
    sizes: 'wide',
    seed: 1,
    include: [`${webTests}/*.test.ts`],
    exclude: [],
    missing: missingBrowser,
  },
  soak: {
    command: 'npm run test:soak',
    runs: 'everything with the largest samples and a new seed each time',
    checksCode: true,
    sizes: 'soak',
    seed: null,
    include: everywhere,
    exclude: [],
    missing: () => [...missingAgents(), ...missingCheckers(), ...missingBrowser()],
  },
} as const satisfies Record<string, Suite>;

/** `npm run unit -- <file>`: any test that needs only Node, npm and git. */
export const unitTests: Suite = { ...suites.test, exclude: suites.wide.exclude };

export type SuiteName = keyof typeof suites;

export function suiteNamed(name: string): Suite {
  if (!Object.hasOwn(suites, name))
    throw new Error(`There is no suite ${JSON.stringify(name)}: ${Object.keys(suites).join(', ')}.`);
  return suites[name as SuiteName];
}

function missingAgents(): string[] {
  return [...missingPrograms(['bwrap'], 'bubblewrap'), ...missingAgentPrograms()];
}

function missingAgentPrograms(): string[] {
  const names = contractAgents.filter((name) => !isInstalled(name));
  return names.length === 0
    ? []
    : [`${names.join(', ')} not installed. Next: npm run agents:install -- ${names.join(' ')}`];
}

function missingBrowser(): string[] {
  return browserPath() === null
    ? ['no browser is installed. Next: on Debian: apt-get install chromium; else name one in JOINERY_BROWSER']
    : [];
}

function missingCheckers(): string[] {
  const names = (Object.keys(contractCheckers) as ContractChecker[]).filter(
    (name) => !isCheckerInstalled(name),
  );
  return [
    ...missingPrograms(['python3', 'perl', 'ruby']),
    ...missingPrograms(['go'], 'golang-go', 'version'),
    ...missingPrograms(['javac'], 'default-jdk-headless'),
    ...missingPrograms(['php'], 'php-cli'),
    ...missingPrograms(['mcs'], 'mono-mcs'),
    ...missingPrograms(['cargo', 'rustc']),
    ...(globSync('/usr/lib/postgresql/*/bin/initdb').length > 0
      ? []
      : ['PostgreSQL is not installed. Next: on Debian: apt-get install postgresql']),
    ...(spawnSync('mariadb-install-db', ['--help']).error === undefined
      ? []
      : ['MariaDB is not installed. Next: on Debian: apt-get install mariadb-server']),
    ...(spawnSync('python3', ['-m', 'pytest', '--version']).status === 0
      ? []
      : [
          'pytest is not installed. Next: python3 -m pip install pytest, on Debian: apt-get install python3-pytest',
        ]),
    ...(pythonWithFrameworks() === null
      ? [
          `Alembic, Django, FastAPI, Flask, requests or httpx are not installed. Next: on Debian: apt-get install ${frameworkPackages}`,
        ]
      : []),
    ...(names.length === 0 ? [] : [`${names.join(', ')} not installed. Next: npm run checkers:install`]),
  ];
}

/** Programs from system packages; `debian` is the package if it has another name. */
function missingPrograms(programs: readonly string[], debian?: string, version = '--version'): string[] {
  return programs
    .filter((program) => spawnSync(program, [version]).status !== 0)
    .map(
      (program) =>
        `${program} is not on PATH. Next: install it, on Debian: apt-get install ${debian ?? program}`,
    );
}
