import type { ApiAnswer, ForgeApi, ForgeState, ToldComment, ToldPull } from './forge-server.ts';

const repository = 'acme/shop';

/** GitHub's REST API: the part that a check uses. */
export const githubApi: ForgeApi = {
  name: 'github',
  prefix: '/api/v3',
  repository,
  tokenOf: ({ authorization = '' }) => authorization.replace(/^Bearer /, ''),
  answer({ method, path, query, body }, state) {
    const here = path.replace(`/repos/${repository}`, '');
    const [, kind, first = '', second] = here.split('/');
    if (here === path) return { status: 404, body: { message: 'Not Found' } };
    if (here === '') return { body: { default_branch: 'main' } };
    if (kind === 'pulls') return first === '' ? { body: listOf(state, query) } : pullAt(state, Number(first));
    if (kind === 'code-scanning') return { status: 202, body: { id: '1' } };
    if (kind === 'issues' && first !== 'comments') return commentsOf(state, Number(first), method, body);
    const id = Number(second);
    const comment = [...state.comments.values()].flat().find((each) => each.id === id);
    if (!comment) return { status: 404, body: { message: 'Not Found' } };
    if (method === 'PATCH') comment.body = String(body.body);
    else
      for (const [pull, listed] of state.comments)
        state.comments.set(
          pull,
          listed.filter((each) => each.id !== id),
        );
    return method === 'PATCH' ? { body: row(comment) } : { status: 204 };
  },
};

function listOf({ pulls }: ForgeState, query: URLSearchParams): unknown[] {
  return pulls
    .filter(({ state = 'open', base = 'main' }) => state === 'open' && base === query.get('base'))
    .map(pullRow);
}

function pullAt({ pulls }: ForgeState, number: number): ApiAnswer {
  const pull = pulls.find((each) => each.number === number);
  return pull ? { body: pullRow(pull) } : { status: 404, body: { message: 'Not Found' } };
}

function pullRow({ number, title, author, base = 'main', from = 'here', state = 'open' }: ToldPull) {
  const repo = { here: { full_name: repository }, fork: { full_name: `${author}/shop` }, gone: null }[from];
  return {
    number,
    title,
    state: state === 'open' ? 'open' : 'closed',
    merged_at: state === 'merged' ? '2026-01-01T00:00:00Z' : null,
    user: { login: author, type: 'User' },
    head: { ref: `branch-${number}`, sha: '0'.repeat(40), repo },
    base: { ref: base },
  };
}

function commentsOf(
  state: ForgeState,
  number: number,
  method: string,
  body: Record<string, unknown>,
): ApiAnswer {
  const listed = state.comments.get(number) ?? [];
  if (method === 'GET') return { body: listed.map(row) };
  const comment = {
    id: 1000 + listed.length,
    body: String(body.body),
    author: 'github-actions[bot]',
    isBot: true,
  };
  state.comments.set(number, [...listed, comment]);
  return { status: 201, body: row(comment) };
}

function row({ id, body, author, isBot }: ToldComment) {
  return { id, body, user: { login: author, type: isBot ? 'Bot' : 'User' } };
}
