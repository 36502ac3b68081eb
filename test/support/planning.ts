import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GitRepository } from './git-repository.ts';
import { joinery, type Outcome, temporaryFolder } from './joinery.ts';
import { passingGuide } from './passing-tests.ts';

/** A repository with a spec, and the real command line with a scripted agent. */
export interface PlanningBench {
  readonly repo: GitRepository;
  readonly env: Record<string, string>;
  /** The answers of the scripted agent, by role; a list is used one after the other. */
  scenario(says: Readonly<Record<string, Answer | readonly Answer[]>>, more?: readonly object[]): string;
  call(...args: string[]): Promise<Outcome>;
  json<T>(...args: string[]): Promise<{ code: number | null; report: T; stderr: string }>;
  write(path: string, content: string | object): void;
  read(path: string): string;
  has(path: string): boolean;
}

type Answer = string | object;

export const greetingSpec = `# Greeting

## Goal

People who use the program are greeted by their name. That makes it friendlier than it is today.

## Requirements

- The program greets with "Hello, <name>!".
- A user without a name is greeted with "Hello, stranger!".

## Acceptance criteria

- [ ] \`greet({ name: 'Ada' })\` returns "Hello, Ada!".
- [ ] \`greet({})\` returns "Hello, stranger!".

## Out of scope

Other languages than English are not part of this. They come later.
`;

export const greetingCode = {
  'src/user.ts': 'export interface User { name?: string }\nexport const anybody: User = {};\n',
  'src/greet.ts': "import type { User } from './user.ts';\nexport const greet = (user: User) => user.name;\n",
  'src/shout.ts': 'export const shout = (text: string) => text.toUpperCase();\n',
};

export function openPlanning(files: Readonly<Record<string, string>> = greetingCode): PlanningBench {
  const repo = new GitRepository();
  repo.commit({ ...passingGuide, ...files, 'specs/greeting.md': greetingSpec });
  const outside = temporaryFolder();
  const env = {
    JOINERY_STATE_DIR: join(outside, 'state'),
    JOINERY_CACHE_DIR: join(outside, 'cache'),
    LC_ALL: 'C.UTF-8',
  };
  let scenarios = 0;
  const call = (...args: string[]) => joinery(args, { cwd: repo.dir, env });
  return {
    repo,
    env,
    scenario(says, more = []) {
      const attempts = Object.entries(says).flatMap(([role, answers]) =>
        (Array.isArray(answers) ? answers : [answers]).map((answer: Answer, index: number) => ({
          role,
          ...(Array.isArray(answers) ? { n: index + 1 } : {}),
          do: [
            { usage: { in: 100, out: 10 } },
            { say: typeof answer === 'string' ? answer : JSON.stringify(answer) },
          ],
        })),
      );
      const file = join(outside, `scenario-${++scenarios}.json`);
      writeFileSync(file, JSON.stringify({ schema: 'joinery/scenario@1', attempts: [...attempts, ...more] }));
      return file;
    },
    call,
    async json<T>(...args: string[]) {
      const { code, stdout, stderr } = await call(...args, '--json');
      return { code, report: JSON.parse(stdout) as T, stderr };
    },
    write(path, content) {
      const file = join(repo.dir, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    },
    read: (path) => readFileSync(join(repo.dir, path), 'utf8'),
    has: (path) => existsSync(join(repo.dir, path)),
  };
}

/** An architect's answer to the greeting spec. */
export function greetingPlan(more: object = {}): object {
  return {
    approach: { mode: 'parallel', reason: 'they meet in the contract only' },
    tasks: [
      {
        id: 'greet',
        title: 'Greet by name',
        description: 'Greet with "Hello, <name>!", a user without a name with "Hello, stranger!".',
        files: ['src/greet.ts', 'src/greet.test.ts'],
        acceptance: [{ text: 'greets Ada', verifyBy: 'manual' }],
        specRefs: [{ spec: 'specs/greeting.md', section: 'Requirements' }],
        rationale: 'RATIONALE-OF-THE-ARCHITECT',
      },
      {
        id: 'shout',
        title: 'Shout',
        files: ['src/shout.ts'],
        specRefs: [{ spec: 'specs/greeting.md', section: 'Acceptance criteria' }],
      },
    ],
    contract: {
      schema: 'joinery/contract@1',
      coreQuestion: 'How is a user greeted?',
      entities: [
        {
          name: 'greet',
          type: 'function',
          path: 'src/greet.ts',
          function: 'greet',
          createdByTask: 'greet',
          keyFields: ['user'],
        },
      ],
    },
    ...more,
  };
}

/** A verifier's approving answer. */
export function verdict(more: object = {}): object {
  return {
    status: 'pass',
    core_question: 'How is a user greeted?',
    core_question_answerable: true,
    core_question_reasoning: 'Task greet does it.',
    spec_requirements: [
      {
        requirement: 'Hello, <name>!',
        spec_location: 'Requirements',
        mapped_to_task: 'greet',
        status: 'covered',
      },
      {
        requirement: 'Hello, stranger!',
        spec_location: 'Requirements',
        mapped_to_task: 'greet',
        status: 'covered',
      },
    ],
    semantic_drift: [],
    contract_issues: [],
    critical_failures: [],
    recommendations: [],
    ...more,
  };
}
