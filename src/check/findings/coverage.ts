import type { Member } from '#check/members/member.ts';
import { isDataFormat } from '#code/formats/index.ts';
import { dialectOf } from '#code/languages/index.ts';
import type { Change } from '#git/trees/tree.ts';
import { endingOf } from '#lib/file-ending.ts';
import type { Coverage } from '#schema/check-report.ts';

/** Extensions of languages in which one file refers to names of another, but for which no facts are read. */
const textOnly = new Set(
  `astro bash bat bzl c cc cjsx clj cljs cljc coffee cpp cr cs cshtml css cu cxx d dart ejs elm erb erl ex exs f f90 fs
  fsx gd go gql gradle graphql groovy h haml hbs hcl hh hpp hrl hs html htm hxx ipynb j2 java jinja jinja2 jl jsp kt kts
  less lua m mdx mjsx ml mli mm nim nix pas php pl pm prisma proto ps1 pug pxd pyx r razor rb rs sass scala scss sh
  slim sol sql styl sv swift tcl tf thrift twig v vb vhd wgsl xaml zig zsh`
    .split(/\s+/)
    .map((ending) => `.${ending}`),
);

/** What a check of these branches did not examine: a clean report does not cover it. */
export function coverageOf(
  branches: readonly { readonly changes: readonly Change[] }[],
  sides: readonly Member[],
  unparsed: ReadonlySet<string>,
): Coverage {
  const gaps = sides.map(({ links }) => links.gaps);
  return {
    textOnly: countEndings(branches.flatMap(({ changes }) => changes)),
    ...(unparsed.size > 0 ? { unparsed: sorted([...unparsed]) } : {}),
    packages: sorted(gaps.flatMap(({ packages }) => packages)),
    imports: sorted(gaps.flatMap(({ imports }) => imports)),
    classes: sorted(gaps.flatMap(({ classes }) => classes)),
  };
}

/** A file that several branches change counts once. */
function countEndings(changes: readonly Change[]): Coverage['textOnly'] {
  const paths = new Set(changes.map(({ path }) => path));
  const endings = Map.groupBy([...paths].filter(isTextOnly), endingOf);
  return [...endings]
    .map(([ending, { length }]) => ({ ending, files: length }))
    .sort((a, b) => b.files - a.files || (a.ending < b.ending ? -1 : 1));
}

function isTextOnly(path: string): boolean {
  return dialectOf(path) === undefined && !isDataFormat(path) && textOnly.has(endingOf(path));
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
