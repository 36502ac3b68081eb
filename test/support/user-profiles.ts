/**
 * Three tasks of one feature, each correct on its own: a model with `name`, a GraphQL type that reads `display_name`, and an
 * endpoint that imports the model. The second does not fit the first and is reworked.
 */
const profilesSpec = `# User profiles

## Goal

Other services can read the profile of a user. Today there is no such thing as a user in the code.

## Requirements

- A user has an id, a name and an email.
- GraphQL has a type for users with a resolver.
- An endpoint shows a user.

## Acceptance criteria

- [ ] \`User(1, 'Ada', 'ada@example.com').name\` is "Ada".
- [ ] The resolver returns a type with the name of the user.

## Out of scope

Editing profiles is not part of this. It comes later.
`;

export const profilesCode = {
  'models/__init__.py': '',
  'schema/__init__.py': '',
  'api/__init__.py': '',
  'specs/user-profiles.md': profilesSpec,
};

const model = `from dataclasses import dataclass


@dataclass
class User:
    id: int
    name: str
    email: str
`;

const types = (field: string) => `from models.user import User


class UserType:
    id: int
    display_name: str
    email: str


def resolve(user: User) -> UserType:
    result = UserType()
    result.display_name = user.${field}
    return result
`;

const endpoint = `from models.user import User


def show(user: User) -> dict:
    return {"id": user.id, "email": user.email}
`;

const testOf = (module: string, name: string) => `from ${module} import ${name}


def test_${name.toLowerCase()}() -> None:
    assert ${name} is not None
`;

const task = (id: string, title: string, file: string, test: string, section: string) => ({
  id,
  title,
  description: title,
  files: [file, test],
  specRefs: [{ spec: 'specs/user-profiles.md', section }],
});

/** The architect's answer. */
const profilesPlan = {
  approach: { mode: 'parallel', reason: 'they meet in the model only' },
  tasks: [
    task('1', 'Add the user model', 'models/user.py', 'tests/test_user.py', 'Requirements'),
    task('2', 'Add the GraphQL type', 'schema/types.py', 'tests/test_types.py', 'Acceptance criteria'),
    task('3', 'Add the endpoint', 'api/users.py', 'tests/test_users.py', 'Requirements'),
  ],
  contract: {
    schema: 'joinery/contract@1',
    coreQuestion: 'What is the profile of a user?',
    entities: [
      {
        name: 'User',
        type: 'type',
        path: 'models/user.py',
        createdByTask: '1',
        keyFields: ['id', 'name', 'email'],
      },
    ],
  },
};

const profilesVerdict = {
  status: 'pass',
  core_question: 'What is the profile of a user?',
  core_question_answerable: true,
  core_question_reasoning: 'Task 1 says.',
  spec_requirements: [
    {
      requirement: 'id, name and email',
      spec_location: 'Requirements',
      mapped_to_task: '1',
      status: 'covered',
    },
    { requirement: 'GraphQL type', spec_location: 'Requirements', mapped_to_task: '2', status: 'covered' },
    { requirement: 'endpoint', spec_location: 'Requirements', mapped_to_task: '3', status: 'covered' },
  ],
  semantic_drift: [],
  contract_issues: [],
  critical_failures: [],
  recommendations: [],
};

const write = (path: string, content: string) => ({ write: { path, content } });
const cost = { usage: { in: 1000, out: 200, usd: 0.01 } };

interface Pace {
  /** How long the task with the model takes. */
  readonly delayMs: number;
  /** How long the rework of the second task takes. */
  readonly reworkMs: number;
}

/** The crew's work. */
function profilesWork({ delayMs, reworkMs }: Pace): object[] {
  const test2 = write('tests/test_types.py', testOf('schema.types', 'UserType'));
  return [
    {
      task: '1',
      role: 'developer',
      do: [
        { say: 'writing the model' },
        { sleepMs: delayMs },
        write('models/user.py', model),
        write('tests/test_user.py', testOf('models.user', 'User')),
        cost,
      ],
    },
    {
      task: '2',
      role: 'developer',
      n: 1,
      do: [write('schema/types.py', types('display_name')), test2, cost],
    },
    {
      task: '2',
      role: 'developer',
      n: 2,
      do: [
        { say: 'following the model' },
        { sleepMs: reworkMs },
        write('schema/types.py', types('name')),
        test2,
        cost,
      ],
    },
    {
      task: '3',
      role: 'developer',
      do: [write('api/users.py', endpoint), write('tests/test_users.py', testOf('api.users', 'show')), cost],
    },
  ];
}

/** The complete scenario for the scripted agent. */
export function profilesScenario(pace: Pace = { delayMs: 300, reworkMs: 0 }): object {
  const says = (role: string, answer: object) => ({ role, do: [{ say: JSON.stringify(answer) }] });
  return {
    schema: 'joinery/scenario@1',
    attempts: [says('architect', profilesPlan), says('verifier', profilesVerdict), ...profilesWork(pace)],
  };
}
