import type { Definition, TypeName } from '#code/facts/facts.ts';
import type { FixtureRules } from '#code/languages/dialect.ts';
import { fixtureValue } from '#code/languages/shared/results.ts';
import { type NodeId, none } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import { handedOut } from './handed-out.ts';
import type { Names } from './names.ts';
import { decoratorsOf, type ParameterNode, parametersOf } from './parameters.ts';

/** Fixtures of pytest and its common plugins: a fixture of the project may shadow them temporarily. */
const given = new Set(
  `cache capfd capfdbinary caplog capsys capsysbinary doctest_namespace monkeypatch pytestconfig pytester record_property
  record_testsuite_property record_xml_attribute recwarn request subtests testdir tmp_path tmp_path_factory tmpdir
  tmpdir_factory mocker benchmark event_loop anyio_backend aiohttp_client client admin_client admin_user async_client db rf
  transactional_db settings live_server django_user_model faker freezer httpserver httpx_mock requests_mock qtbot page
  browser context`.split(/\s+/),
);

function isFixtureDecorator(name: string): boolean {
  return /(?:^|\.)fixture$/.test(name);
}

/** The parameters that pytest fills in: of a test or fixture, without a default or other values. */
export function requestedFixtures({ tree }: Bound, node: NodeId): ParameterNode[] {
  const name = tree.textOf(tree.child(node, 'name'));
  const decorators = decoratorsOf(tree, node);
  if (!name.startsWith('test') && !decorators.some(isFixtureDecorator)) return [];
  // `@parametrize('a, b', …)`, `@given(…)` and `@patch(…)` fill in parameters too.
  const isPlain = decorators.every((each) => isFixtureDecorator(each) || /(?:^|\.)mark\.\w+$/.test(each));
  const wrapper = tree.parent(node);
  const head = decorators.length > 0 ? tree.text.slice(tree.start(wrapper), tree.start(node)) : '';
  if (!isPlain) return [];
  return parametersOf(tree, node).filter((parameter) => {
    const text = tree.textOf(parameter.name);
    const isOrdinary =
      parameter.kind === 'positional' && parameter.default === none && parameter.name !== none;
    return (
      isOrdinary &&
      text !== name &&
      text !== 'self' &&
      text !== 'cls' &&
      !new RegExp(`["',\\s]${text}["',\\s]`).test(head)
    );
  });
}

/** The class of a fixture's value, when its annotation or each of its results gives it. */
export function fixtureType(bound: Bound, names: Names, node: NodeId): TypeName | null {
  const { tree } = bound;
  if (!decoratorsOf(tree, node).some(isFixtureDecorator)) return null;
  const annotation = tree.child(node, 'return_type');
  const scope = bound.scopeOf(node);
  if (annotation !== none)
    return scope?.isGenerator ? names.annotatedElement(annotation) : names.annotatedType(annotation);
  return handedOut(bound, names, node);
}

/** The type of a parameter that a fixture fills in. */
export function typeOfFixture(name: string): TypeName {
  return `${name}.${fixtureValue}`;
}

export const fixtures: FixtureRules = {
  isAskedBy: (path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests|conftest)\.py$/.test(path),
  files: (path) => {
    const folders = path.split('/').slice(0, -1);
    const above = folders.map((_, at) => `${folders.slice(0, folders.length - at).join('/')}/conftest.py`);
    return [...new Set([path, ...above, 'conftest.py'])];
  },
  isFixture: ({ decorators }: Definition) => decorators.some(isFixtureDecorator),
  /** Plugins whose fixtures are not searched. */
  plugins: 'pytest_plugins',
  isGiven: (name) => given.has(name),
};
