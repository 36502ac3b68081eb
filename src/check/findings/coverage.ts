import { basename } from 'node:path/posix';
import type { Member } from '#check/members/member.ts';
import { isDataFormat } from '#code/formats/index.ts';
import { dialectOf } from '#code/languages/index.ts';
import { readWithTypes } from '#code/languages/read-with-types.ts';
import type { Change } from '#git/trees/tree.ts';
import { endingOf } from '#lib/file-ending.ts';
import type { CheckReport, Coverage } from '#schema/check-report.ts';

/** Extensions of languages in which one file refers to names of another, but for which no facts are read. */
const textOnly = new Set(
  `adb ads agda asm astro awk bash bat bicep bzl c cairo cbl cc cjsx clj cljs cljc cls cmake cob coffee cpp cr cs cshtml
  css cu cue cuh cxx d dart dhall ejs el elm erb erl ex exs f f03 f90 f95 fish for frag fs fsx ftl gd gleam glsl go gotmpl
  gql gradle graphql groovy h haml hbs hcl hh hlsl hpp hrl hs html htm hx hxx idr ipynb j2 java jinja jinja2 jl jsonnet
  jsp kt kts lean less libsonnet liquid lisp lua m mdx metal mjsx mk ml mli mm mojo move mustache nim nix njk odin pas php
  phtml pl pm prisma proto ps1 psm1 pug purs pxd pyx r razor rb re rego res rkt rs s sass scala scm scss sh slim sol sql
  star styl sv swift tcl tf thrift tmpl tpl trigger twig v vala vb vert vhd vhdl vm vy wgsl xaml xsl xslt zig zsh`
    .split(/\s+/)
    .map((ending) => `.${ending}`),
);

/** The same for files that are known by their name. */
const textOnlyNames =
  /^(?:BUILD|CMakeLists\.txt|Containerfile|[Dd]ockerfile|Jenkinsfile|[Jj]ustfile|(?:GNU)?[Mm]akefile)$/;

/** What a check of these branches did not examine: a clean report does not cover it. */
export function coverageOf(
  branches: readonly { readonly changes: readonly Change[] }[],
  sides: readonly Member[],
  unparsed: ReadonlySet<string>,
  checkers: readonly Pick<NonNullable<CheckReport['checkers']>[number], 'name'>[],
): Coverage {
  const gaps = sides.map(({ links }) => links.gaps);
  const changes = branches.flatMap((branch) => branch.changes);
  const submodules = changes.filter(({ after }) => after?.kind === 'submodule').map(({ path }) => path);
  const readers = new Set(checkers.map(({ name }) => name));
  const unchecked = countEndings(
    changes.filter(({ after }) => after !== null),
    (path) => readWithTypes(path, readers) === false,
  );
  return {
    textOnly: countEndings(changes, isTextOnly),
    ...(unchecked.length > 0 ? { unchecked } : {}),
    ...(unparsed.size > 0 ? { unparsed: sorted([...unparsed]) } : {}),
    ...(submodules.length > 0 ? { submodules: sorted(submodules) } : {}),
    packages: sorted(gaps.flatMap(({ packages }) => packages)),
    imports: sorted(gaps.flatMap(({ imports }) => imports)),
    classes: sorted(gaps.flatMap(({ classes }) => classes)),
  };
}

/** A file that several branches change counts once. */
function countEndings(changes: readonly Change[], counts: (path: string) => boolean): Coverage['textOnly'] {
  const paths = new Set(changes.map(({ path }) => path));
  const endings = Map.groupBy([...paths].filter(counts), kindOf);
  return [...endings]
    .map(([ending, { length }]) => ({ ending, files: length }))
    .sort((a, b) => b.files - a.files || (a.ending < b.ending ? -1 : 1));
}

function isTextOnly(path: string): boolean {
  if (dialectOf(path) !== undefined || isDataFormat(path)) return false;
  return textOnlyNames.test(basename(path)) || textOnly.has(endingOf(path));
}

/** `.kt`, or `Makefile` where the name says it. */
function kindOf(path: string): string {
  return textOnlyNames.test(basename(path)) ? basename(path) : endingOf(path);
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
