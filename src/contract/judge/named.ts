import type { CodeModel } from '#contract/shapes.ts';
import type { Part } from './judged.ts';
import type { Entity } from './lookup.ts';

/** Routes and events have no definition: the code contains them as quoted texts. */
export function judgeNamed(model: CodeModel, { name, type, path }: Entity): Part {
  const [, method = '', route = name] =
    /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+(\S+)$/i.exec(name) ?? [];
  const places = model.quoted(route).filter(({ file }) => path === undefined || file === path);
  if (places.length === 0)
    return {
      status: type === 'route' ? 'undecided' : 'missing',
      detail:
        type === 'route'
          ? `no file contains ${route} as a string; a route composed of parts cannot be recognised`
          : `no file holds the event ${route} as a text`,
      evidence: [],
    };
  const isMethod = new RegExp(String.raw`\b${method}\b`, 'i');
  const exact = places.filter(({ text }) => method === '' || isMethod.test(text));
  const evidence = (exact.length > 0 ? exact : places)
    .slice(0, 5)
    .map(({ file, line }) => ({ file, line, what: name }));
  return exact.length > 0
    ? { status: 'satisfied', detail: `${name} is there`, evidence }
    : { status: 'partial', detail: `${route} is there, but not for ${method}`, evidence };
}
