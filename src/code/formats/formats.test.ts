import { describe, expect, test } from 'vitest';
import { readData } from './index.ts';
import { restRouters } from './python/django-routes.ts';

const fields = (facts: Awaited<ReturnType<typeof readData>>) =>
  facts?.entities?.map(({ form, name, table, fields: own }) => [
    form,
    name,
    table ?? null,
    own
      .map(
        (field) =>
          `${field.name}${field.column ? `=${field.column}` : ''}:${field.type}${field.required ? '!' : ''}`,
      )
      .join(' '),
  ]);

describe('entities', () => {
  test('of TypeScript', async () => {
    const facts = await readData(
      'src/shapes.ts',
      `export const users = pgTable('users', { id: serial().primaryKey(), fullName: text('full_name').notNull() });
       export const Person = z.object({ age: z.number().optional(), name: z.string() }).strict();
       @Entity() export class OrderItem { @PrimaryColumn() id: number; @Column({ nullable: true }) note: string; plain: string }
       export interface Team { id: string; size?: number; owner: User }
       export class CreateUserDto { name: string }
       interface lower { x: string }`,
    );
    expect(fields(facts)).toEqual([
      ['Drizzle', 'users', 'users', 'id:serial! fullName=full_name:text!'],
      ['Zod', 'Person', null, 'age:number name:string!'],
      ['TypeORM', 'OrderItem', 'order_item', 'id:number! note:string'],
      ['TypeScript', 'Team', null, 'id:string! size:number owner:user!'],
      ['class', 'CreateUserDto', null, 'name:string!'],
    ]);
  });

  test('of Python', async () => {
    const facts = await readData(
      'shop/models.py',
      `class User(Base):
    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name = Column("full_name", String(20), nullable=False)
    orders = relationship("Order")

class Order(models.Model):
    total = models.IntegerField(null=True)
    buyer = models.ForeignKey(User, on_delete=models.CASCADE)
    class Meta:
        ordering = ["total"]

class Person(BaseModel):
    age: int | None = None
    name: str

@dataclass
class Point:
    x: float
    y: float = 0.0
`,
    );
    expect(fields(facts)).toEqual([
      ['SQLAlchemy', 'User', 'users', 'id:int name=full_name:string!'],
      ['Django', 'Order', 'shop_order', 'total:integer buyer=buyer_id:foreignkey!'],
      ['Pydantic', 'Person', null, 'age:int name:str!'],
      ['dataclass', 'Point', null, 'x:float! y:float'],
    ]);
  });

  test('of Prisma, GraphQL, protobuf and OpenAPI', async () => {
    const prisma = await readData(
      'schema.prisma',
      'model User {\n  id String @id\n  name String? @map("full_name")\n  posts Post[]\n  @@map("users")\n}\nmodel Post {\n  id String @id\n}\n',
    );
    expect(fields(prisma)?.[0]).toEqual(['Prisma', 'User', 'users', 'id:string! name=full_name:string']);
    expect(prisma?.entities?.[0]?.fields.map(({ line }) => line)).toEqual([2, 3]);
    const graphql = await readData(
      's.graphql',
      '"""a user"""\ntype User {\n  id: ID!\n  "all"\n  posts: [Post!]!\n}\n',
    );
    expect(fields(graphql)).toEqual([['GraphQL', 'User', null, 'id:id! posts:post!']]);
    expect(graphql?.entities?.[0]?.fields[1]?.line).toBe(5);
    const proto = await readData(
      's.proto',
      'syntax = "proto3";\npackage shop;\nmessage User {\n  string id = 1;\n  reserved 3, 5 to 6;\n}\n',
    );
    expect(proto?.entities?.[0]).toMatchObject({
      name: 'shop.User',
      fields: [{ name: 'id', tag: 1, line: 4 }],
      reserved: ['3', '5', '6'],
    });
    const openapi = await readData(
      'openapi.json',
      '{ "openapi": "3.1.0", "paths": { "/users/{id}": { "get": { "operationId": "one" } } },\n"components": { "schemas": { "User": { "required": ["id"], "properties": { "id": { "type": "string" } } } } } }',
    );
    expect(fields(openapi)).toEqual([['OpenAPI', 'User', null, 'id:string!']]);
    expect(openapi).toMatchObject({
      routes: [{ method: 'GET', path: '/users/:' }],
      operationIds: [{ name: 'one' }],
    });
  });
});

describe('routes and clients', () => {
  const routes = (facts: Awaited<ReturnType<typeof readData>>) =>
    facts?.routes?.map(({ framework, method, path }) => `${framework} ${method} ${path}`);

  test('of JavaScript frameworks', async () => {
    const text = `const app = express(); app.get('/a/:id', (q, r) => r.send('')); app.route('/b').post(save);
      const api = new Hono().basePath('/v1'); api.put('/c', (c) => c.text(''));
      const server = fastify(); server.route({ method: ['GET', 'POST'], url: '/d', handler });
      @Controller('cats') class Cats { @Get(':id') find() {} }
      cache.get('/not-a-route');`;
    expect(routes(await readData('src/app.ts', text))).toEqual([
      'Express GET /a/:',
      'Express POST /b',
      'Hono PUT /v1/c',
      'Fastify GET /d',
      'Fastify POST /d',
      'Nest GET /cats/:',
    ]);
    expect(
      routes(
        await readData(
          'app/(shop)/cart/[id]/route.ts',
          'export async function GET() {}\nexport const other = 1;',
        ),
      ),
    ).toEqual(['Next GET /cart/:']);
  });

  test('of Python frameworks', async () => {
    const text = `app = FastAPI()\nrouter = APIRouter(prefix="/users")\nflask = Flask(__name__)\n
@router.get("/{id}")
def one(id): return User

@flask.route("/x/<int:id>", methods=["GET", "POST"])
def x(id): return 1
app.include_router(router, prefix="/v1")
`;
    const facts = await readData('api.py', text);
    expect(routes(facts)).toEqual(['FastAPI GET /users/:', 'Flask GET /x/:', 'Flask POST /x/:']);
    expect(facts?.routes?.[0]?.mentions).toEqual(['User']);
    expect(facts?.mounts).toMatchObject([{ router: 'app', prefix: '/v1', child: 'router', from: null }]);
    expect(
      routes(
        await readData(
          'shop/urls.py',
          'urlpatterns = [path("users/<int:id>/", view), path("x/", include("y"))]',
        ),
      ),
    ).toEqual(['Django ALL /users/:']);
  });

  test('of clients', async () => {
    const calls = async (path: string, text: string) =>
      (await readData(path, text))?.calls?.map(
        ({ method, path: called, body }) => `${method} ${called} ${body?.join() ?? '?'}`,
      );
    const script = `const api = axios.create({ baseURL: '/api' });
      fetch(\`/users/\${id}\`); fetch('/orders', { method: 'POST', body: JSON.stringify({ items }) });
      api.post('/x', { a, ...rest }); ky.put('y', { json: { b } }); fetch('https://elsewhere.example/z'); fetch('http://localhost:3000/w'); axios({ url: '/q', method: 'delete' });`;
    expect(await calls('src/c.ts', script)).toEqual([
      'GET /users/: ',
      'POST /orders items',
      'POST /api/x ?',
      'PUT /y b',
      'GET /w ',
      'DELETE /q ',
    ]);
    const python =
      'import httpx, requests\nrequests.post("http://localhost:8000/orders", json={"items": 1})\nwith httpx.Client() as c:\n    c.get(f"/users/{id}")\n';
    expect(await calls('c.py', python)).toEqual(['POST /orders items', 'GET /users/: ']);
  });
});

test('migrations of Alembic and Django are steps', async () => {
  const alembic = await readData(
    'versions/a.py',
    'revision = "b"\ndown_revision = "a"\ndef upgrade():\n    op.add_column("t", sa.Column("c", sa.Text(), nullable=False))\n    op.alter_column("t", "d", new_column_name="e")\ndef downgrade():\n    op.drop_column("t", "c")\n',
  );
  expect(alembic?.steps).toMatchObject([
    { op: 'add column', table: 't', name: 'c', type: 'text', required: true, line: 4 },
    { op: 'rename column', table: 't', name: 'd', to: 'e', line: 5 },
  ]);
  const batch = await readData(
    'versions/b.py',
    'revision = "c"\ndown_revision = "b"\ndef upgrade():\n    with op.batch_alter_table("t") as batch_op:\n        batch_op.alter_column("c", new_column_name="f")\n        batch_op.create_index("by_f", ["f"])\n    with op.batch_alter_table("u", schema=None) as batch_op:\n        batch_op.drop_column("g")\n        batch_op.add_column(sa.Column("h", sa.Text()))\n',
  );
  expect(batch?.steps).toMatchObject([
    { op: 'rename column', table: 't', name: 'c', to: 'f', line: 5 },
    { op: 'create index', table: 't', name: 'by_f', line: 6 },
    { op: 'drop column', table: 'u', name: 'g', line: 8 },
    { op: 'add column', table: 'u', name: 'h', type: 'text', line: 9 },
  ]);
  const django = await readData(
    'shop/migrations/0002_x.py',
    'class Migration(migrations.Migration):\n    operations = [\n        migrations.RemoveField("order", "note"),\n        migrations.CreateModel(name="Cart", fields=[("id", models.AutoField())]),\n    ]\n',
  );
  expect(django?.steps).toMatchObject([
    { op: 'drop column', table: 'shop_order', name: 'note', line: 3 },
    { op: 'create table', table: 'shop_cart', columns: [{ name: 'id', type: 'auto' }], line: 4 },
  ]);
});

test('a text that cannot be parsed reports an error, or leaves that to its language', async () => {
  expect(await readData('s.graphql', 'type {')).toMatchObject({ problem: { line: 1 } });
  expect(await readData('s.proto', 'syntax = "proto3";\nmessage A {\n  string = ;\n}')).toMatchObject({
    problem: { line: 3 },
  });
  expect(await readData('s.prisma', 'model {{{')).toMatchObject({ problem: { line: 1 } });
  expect(await readData('o.yaml', 'openapi: 3.1.0\npaths: [')).toMatchObject({ problem: {} });
  expect(await readData('a.ts', 'const app = express(;')).toBeNull();
  expect(await readData('a.py', 'class A(BaseModel:')).toBeNull();
  expect(await readData('a.ts', `${'fetch("/x");'.repeat(100_000)}`)).toBeNull();
});

test('a line of number signs above a GraphQL operation takes no time', { timeout: 5000 }, async () => {
  const banner = `${'#'.repeat(30)}\n# Orders\n`;
  expect(await readData('q.graphql', `${banner}query { a }`)).toMatchObject({
    documents: [{ kind: 'operations' }],
  });
  expect(await readData('s.graphql', `${banner}"Of a shop"\ntype Order { a: Int }`)).toMatchObject({
    documents: [{ kind: 'types' }],
  });
});

test('empty lines of a Python file take time in proportion to their number', { timeout: 10_000 }, () => {
  const cost = (lines: number) => {
    const before = process.cpuUsage();
    expect(restRouters('\n'.repeat(lines))).toEqual(new Set());
    return process.cpuUsage(before).user / 1000;
  };
  cost(1000);
  // Quadratic time would be several seconds.
  expect(cost(50_000)).toBeLessThan(1000);
});
