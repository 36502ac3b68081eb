import { expect, test } from 'vitest';
import { checkIn } from '#test/support/check-in.ts';
import { GitRepository } from '#test/support/git-repository.ts';

const model = (field: string) =>
  `from sqlalchemy import Column, Integer, Text\n\n\nclass User(Base):\n    __tablename__ = "users"\n    id = Column(Integer)\n    ${field} = Column(Text)\n`;
const attribute = 'def greet(user: User) -> str:\n    return user.name\n';
const query = 'def named(session, text):\n    return session.query(User).filter_by(name=text)\n';

async function told(...uses: readonly string[]) {
  const repository = new GitRepository();
  repository.commit({ 'app/models.py': model('name') });
  repository.branch('a', { 'app/models.py': model('full_name') });
  repository.branch('b', { 'app/greet.py': ['from app.models import User\n', ...uses].join('\n\n') });
  const { findings } = await checkIn(repository, 'main', 'a', 'b');
  return findings.map(({ rule, tags = [], sites }) => ({
    ...{ rule, tags },
    lines: sites.flatMap(({ role, file, line }) => (role === 'consumer' ? [`${file}:${line}`] : [])),
  }));
}

test('a field that is gone is told once: by its attribute, with the queries that name its column', async () => {
  expect(await told(attribute, query)).toEqual([
    { rule: 'S10', tags: ['schema'], lines: ['app/greet.py:5', 'app/greet.py:9'] },
  ]);
});

test('a query alone is told as a column that is gone', async () => {
  expect(await told(query)).toMatchObject([{ rule: 'C08', tags: [] }]);
});
