import type { Route } from '#code/formats/shared/data-facts.ts';
import { constraintsOf, joinPaths } from '#code/formats/shared/route-path.ts';
import { decorators, literal, type Node, node, nodes, objectKeys } from './estree.ts';
import { bodyAndMentions, methods } from './routes.ts';

/** `@Controller('cats') class { @Get(':id') find() {} }`. */
export function nestRoutes(each: Node, lineOf: (offset: number) => number): Route[] {
  const controller = decorators(each).find(([name]) => name === 'Controller');
  if (each.type !== 'ClassDeclaration' || !controller) return [];
  const [first] = controller[1];
  const settings = objectKeys(first)?.keys;
  const prefixes = first === undefined ? [''] : texts(settings ? settings.get('path') : first);
  // Versions and hosts distinguish routes with the same path.
  const apart = ['version', 'host'].flatMap((key) => texts(settings?.get(key)));
  return nodes(node(each.body)?.body).flatMap((member) => {
    const all = decorators(member);
    const versions = all.flatMap(([name, [version]]) => (name === 'Version' ? texts(version) : []));
    return all.flatMap(([name, args]): Route[] => {
      if (!methods.has(name.toLowerCase()) || !/^[A-Z]/.test(name)) return [];
      const paths = args.length === 0 ? [''] : texts(args[0]);
      return prefixes.flatMap((prefix) =>
        paths.map((path) => {
          const { constraints = '' } = constraintsOf(path, true);
          const kept = [constraints, ...apart, ...versions].filter((part) => part !== '').join();
          return {
            framework: 'Nest',
            method: name.toUpperCase(),
            path: joinPaths(prefix, path),
            ...(kept === '' ? {} : { constraints: kept }),
            router: '@Controller',
            isOwn: true,
            ends: true,
            ordered: true,
            ...bodyAndMentions(node(member.value) ?? undefined),
            line: lineOf(member.start),
          };
        }),
      );
    });
  });
}

/** String literals, one or a list: `'cats'`, `['cats', 'animals']`. */
function texts(value: Node | undefined): string[] {
  const all = value?.type === 'ArrayExpression' ? nodes(value.elements) : value ? [value] : [];
  return all.flatMap((each) => literal(each) ?? []);
}
