import type { ForgeApi, ToldComment, ToldPull } from './forge-server.ts';

const project = 42;
const self = 'project_42_bot';

/** GitLab's REST API: the part that a check uses. */
export const gitlabApi: ForgeApi = {
  name: 'gitlab',
  prefix: '/api/v4',
  repository: 'acme/shop',
  tokenOf: (headers) => String(headers['private-token'] ?? headers['job-token'] ?? ''),
  answer({ method, path, query, body }, state) {
    if (path === '/user') return { body: { username: self } };
    const here = path.replace(`/projects/${project}`, '');
    if (here === path) return { status: 404, body: { message: '404 Project Not Found' } };
    if (here === '') return { body: { default_branch: 'main' } };
    const [, , first = '', notes, id] = here.split('/');
    if (first === '') {
      const isListed = ({ state: now = 'open', base = 'main' }: ToldPull) =>
        now === 'open' && base === query.get('target_branch');
      return { body: state.pulls.filter(isListed).map(pullRow) };
    }
    const number = Number(first);
    const pull = state.pulls.find((each) => each.number === number);
    if (!pull) return { status: 404, body: { message: '404 Not found' } };
    if (notes === undefined) return { body: pullRow(pull) };
    const listed = state.comments.get(number) ?? [];
    if (method === 'GET') return { body: [systemNote, ...listed.map(row)] };
    if (method === 'POST') {
      const note = { id: 2000 + listed.length, body: String(body.body), author: self };
      state.comments.set(number, [...listed, note]);
      return { status: 201, body: row(note) };
    }
    const note = listed.find((each) => String(each.id) === id);
    if (!note) return { status: 404, body: { message: '404 Not found' } };
    if (method === 'PUT') note.body = String(body.body);
    else
      state.comments.set(
        number,
        listed.filter((each) => each !== note),
      );
    return method === 'PUT' ? { body: row(note) } : { status: 204 };
  },
};

const systemNote = {
  id: 1,
  body: '<!-- joinery:check --> changed the title',
  system: true,
  author: { username: self },
};

function pullRow({ number, title, author, from = 'here', state = 'open' }: ToldPull) {
  return {
    iid: number,
    title,
    state: state === 'open' ? 'opened' : state,
    author: { username: author },
    source_project_id: { here: project, fork: 77, gone: null }[from],
    target_project_id: project,
  };
}

function row({ id, body, author }: ToldComment) {
  return { id, body, system: false, author: { username: author } };
}
