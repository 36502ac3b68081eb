import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostileRepository } from './hostile-repository.ts';
import {
  add,
  addEntries,
  blob,
  commit,
  config,
  escapes,
  everywhere,
  hooks,
  inside,
  object,
  program,
  raw,
  rootWith,
  tree,
} from './kit.ts';

const settings: readonly HostileRepository[] = [
  {
    name: 'a file system monitor in the settings of the worktree',
    build(repository, trap) {
      const helper = program(repository, trap);
      inside(repository, 'config.worktree', `[core]\n\tfsmonitor = ${helper}\n\tfsmonitorHookVersion = 2\n`);
      config(repository, '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n');
    },
  },
  {
    name: 'hooks of every kind in a folder that the settings name',
    build(repository, trap) {
      for (const hook of hooks) program(repository, trap, `elsewhere/${hook}`);
      config(repository, '[core]\n\thooksPath = .git/elsewhere\n');
    },
  },
  {
    name: 'hooks that hear of changes to the index and the refs',
    build(repository, trap) {
      for (const hook of hooks) program(repository, trap, `hooks/${hook}`);
    },
  },
  {
    name: 'a long running filter that attributes in the git folder ask for',
    build(repository, trap) {
      const helper = program(repository, trap);
      inside(repository, 'info/attributes', '* filter=wash diff=wash merge=wash\n');
      config(
        repository,
        `[filter "wash"]\n\tprocess = ${helper}\n\tclean = ${helper}\n\tsmudge = ${helper}\n\trequired = true\n`,
      );
    },
  },
  {
    name: 'a merge driver for the files that both branches change',
    build(repository, trap) {
      everywhere(repository, {
        '.gitattributes': '*.ts merge=union2\n*.py merge=union2\n',
        'both.ts': 'let x = 1;\n',
      });
      add(repository, 'a', { 'both.ts': 'let x = 2;\n' });
      add(repository, 'b', { 'both.ts': 'let x = 3;\n' });
      const helper = program(repository, trap);
      config(
        repository,
        `[merge "union2"]\n\tname = u\n\tdriver = ${helper} %O %A %B\n\trecursive = union2\n`,
      );
      config(repository, '[merge]\n\tdefault = union2\n');
    },
  },
  {
    name: 'text conversion and an external diff for every file',
    build(repository, trap) {
      everywhere(repository, { '.gitattributes': '* diff=show\n' });
      const helper = program(repository, trap);
      config(repository, `[diff]\n\texternal = ${helper}\n[diff "show"]\n\ttextconv = ${helper}\n`);
      config(repository, `\tcommand = ${helper}\n\tcachetextconv = true\n\txfuncname = "(a+)+$"\n`);
    },
  },
  {
    name: 'pagers and editors for every command',
    build(repository, trap) {
      const helper = program(repository, trap);
      config(
        repository,
        `[core]\n\tpager = ${helper}\n\teditor = ${helper}\n\taskPass = ${helper}\n[pager]\n`,
      );
      for (const command of [
        'log',
        'diff',
        'show',
        'branch',
        'tag',
        'config',
        'ls-tree',
        'merge-tree',
        'rev-list',
      ])
        config(repository, `\t${command} = ${helper}\n`);
    },
  },
  {
    name: 'signed commits and a program that verifies them',
    build(repository, trap) {
      const helper = program(repository, trap);
      for (const branch of ['a', 'b']) {
        const body = repository.git('cat-file', 'commit', branch);
        const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----\n';
        raw(repository, branch, `${body.replace('\n\n', `\n${signature}\n`)}\n`);
      }
      config(
        repository,
        `[gpg]\n\tprogram = ${helper}\n[log]\n\tshowSignature = true\n[merge]\n\tverifySignatures = true\n`,
      );
    },
  },
  {
    name: 'a missing file that git would fetch through a program',
    build(repository, trap) {
      const helper = program(repository, trap);
      const id = blob(repository, 'export const gone = 1;\n');
      addEntries(repository, 'a', [{ mode: '100644', name: 'zgone.ts', id }]);
      rmSync(join(repository.dir, '.git/objects', id.slice(0, 2), id.slice(2)));
      config(repository, `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n`);
      config(repository, `[protocol "ext"]\n\tallow = always\n[remote "origin"]\n\turl = ext::${helper}\n`);
      config(repository, '\tpromisor = true\n\tpartialclonefilter = blob:none\n');
    },
  },
  {
    name: 'a missing commit behind an upload program and an ssh command',
    build(repository, trap) {
      const helper = program(repository, trap);
      inside(repository, 'refs/heads/b', `${'deadbeef'.repeat(5)}\n`);
      config(
        repository,
        `[core]\n\trepositoryformatversion = 1\n\tsshCommand = ${helper}\n\tgitProxy = ${helper}\n`,
      );
      config(
        repository,
        `[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ssh://localhost/x\n`,
      );
      config(
        repository,
        `\tpromisor = true\n\tuploadpack = ${helper}\n[credential]\n\thelper = !${helper}\n`,
      );
    },
  },
  {
    name: 'settings included from a pipe that nobody writes to',
    build(repository) {
      execFileSync('mkfifo', [join(repository.dir, '.git/more')]);
      config(repository, '[include]\n\tpath = more\n');
    },
  },
  {
    name: 'attributes and ignores and an order of files that never end',
    build(repository) {
      config(repository, '[core]\n\tattributesFile = /dev/zero\n\texcludesFile = /dev/zero\n');
      config(repository, '[diff]\n\torderFile = /dev/zero\n[mailmap]\n\tfile = /dev/zero\n');
    },
  },
  {
    name: 'a worktree setting that leads to the root of the machine',
    build(repository) {
      config(
        repository,
        '[core]\n\tworktree = /\n\tbare = false\n\tuntrackedCache = true\n[status]\n\tshowUntrackedFiles = all\n',
      );
    },
  },
  {
    name: 'settings with a syntax error after a megabyte of sections',
    build(repository) {
      config(repository, `${'[x "y"]\n\tz = 1\n'.repeat(60_000)}[core\n\tbare = maybe\n`);
    },
  },
  {
    name: 'settings that turn every limit of renames off',
    build(repository) {
      const body = (index: number, tail: string) =>
        Array.from({ length: 12 }, (_, line) => `export const v${line} = ${(index * 7 + line) % 90};\n`).join(
          '',
        ) + tail;
      const names = Array.from({ length: 700 }, (_, index) => index);
      everywhere(
        repository,
        Object.fromEntries(names.map((index) => [`old/f${index}.ts`, body(index, `// ${index}\n`)])),
      );
      for (const branch of ['a', 'b'])
        add(
          repository,
          branch,
          Object.fromEntries(
            names.flatMap((index) => [
              [`old/f${index}.ts`, null],
              [`${branch}/g${index}.ts`, body(index + 1, `// new ${branch}${index}\n`)],
            ]),
          ),
        );
      config(
        repository,
        '[diff]\n\trenameLimit = 0\n\trenames = copies\n[merge]\n\trenameLimit = 0\n\tdirectoryRenames = true\n',
      );
    },
  },
];

const objects: readonly HostileRepository[] = [
  {
    name: 'a tree of ten objects that unfolds to ten thousand million files',
    build(repository) {
      let id = blob(repository, 'export const x = 1;\n');
      for (let depth = 0; depth < 10; depth += 1) {
        const mode = depth === 0 ? '100644' : '40000';
        const names = Array.from({ length: 10 }, (_, index) => (depth === 0 ? `f${index}.ts` : `d${index}`));
        const inner = id;
        id = tree(
          repository,
          names.map((name) => ({ mode, name, id: inner })),
        );
      }
      addEntries(repository, 'a', [{ mode: '40000', name: 'zbomb', id }]);
    },
  },
  {
    name: 'a folder four hundred levels deep',
    build(repository) {
      let id = tree(repository, [{ mode: '100644', name: 'x.ts', id: blob(repository, 'export {};\n') }]);
      for (let depth = 0; depth < 400; depth += 1)
        id = tree(repository, [{ mode: '40000', name: 'deeper-and-deeper', id }]);
      addEntries(repository, 'a', [{ mode: '40000', name: 'zdeep', id }]);
    },
  },
  {
    name: 'a source of three hundred megabytes in some hundred kilobytes',
    build(repository) {
      const id = object(repository, 'blob', Buffer.alloc(300_000_000, 'a'), 3);
      addEntries(repository, 'a', [{ mode: '100644', name: 'zlarge.ts', id }]);
    },
  },
  {
    name: 'an object whose header promises more than there is',
    build(repository) {
      const id = blob(repository, 'export const short = 1;\n');
      addEntries(repository, 'a', [{ mode: '100644', name: 'zshort.ts', id }]);
      const file = `objects/${id.slice(0, 2)}/${id.slice(2)}`;
      const other = object(repository, 'blob', 'x');
      inside(repository, file, Buffer.from('789c4bcac94f52b0b4b43432c2000000ffff', 'hex'));
      inside(repository, `objects/${other.slice(0, 2)}/${other.slice(2)}`, '');
    },
  },
  {
    name: 'a tree with the names of git and of parents',
    build(repository, trap) {
      const id = blob(repository, `[core]\n\tfsmonitor = ${program(repository, trap)}\n`);
      const ts = blob(repository, 'export const x = 1;\n');
      const folder = tree(repository, [{ mode: '100644', name: 'config', id }]);
      addEntries(repository, 'a', [
        ...['..', '.git', '.GIT', '.g\u200cit', 'GIT~1', '.git ', '.git.', '.git::$INDEX_ALLOCATION'].map(
          (name) => ({
            mode: '40000' as const,
            name,
            id: folder,
          }),
        ),
        { mode: '100644', name: 'C:\\escape.ts', id: ts },
      ]);
    },
  },
  {
    name: 'a tree with slashes in its names and one entry without a name',
    build(repository) {
      const id = blob(repository, 'export const x = 1;\n');
      for (const [branch, names] of [
        ['a', ['../../escape.ts', '/tmp/escape.ts', 'zz/../../escape.ts', '.']],
        ['b', ['']],
      ] as const)
        addEntries(
          repository,
          branch,
          names.map((name) => ({ mode: '100644', name, id })),
        );
    },
  },
  {
    name: 'a tree that names one file twice and a file that is a folder',
    build(repository) {
      const one = blob(repository, 'export const x = 1;\n');
      const two = blob(repository, 'export const x = "two";\n');
      const folder = tree(repository, [{ mode: '100644', name: 'x.ts', id: two }]);
      addEntries(repository, 'a', [
        { mode: '100644', name: 'z.ts', id: one },
        { mode: '100644', name: 'z.ts', id: two },
        { mode: '40000', name: 'z.ts', id: folder },
        { mode: '40000', name: 'y.ts', id: one },
        { mode: '100644', name: 'w.ts', id: folder },
      ]);
    },
  },
  {
    name: 'a commit with a time after the end of time and no author',
    build(repository) {
      const root = repository.git('rev-parse', 'a^{tree}');
      const parent = repository.git('rev-parse', 'a');
      raw(
        repository,
        'a',
        'tree ' +
          root +
          '\nparent ' +
          parent +
          '\ncommitter <<>> 99999999999999999999999 +9999999\nencoding utf-7\n\n+AAA-\0x\n',
      );
    },
  },
  {
    name: 'messages and people made of terminal escapes',
    build(repository) {
      const root = rootWith(repository, 'a', [
        { mode: '100644', name: 'zz.ts', id: blob(repository, 'export {};\n') },
      ]);
      const parent = repository.git('rev-parse', 'a');
      const who = ` ${escapes} <\u001b]8;;http://x\u0007@x> 1767225600 +0000\n`;
      raw(
        repository,
        'a',
        `tree ${root}\nparent ${parent}\nauthor${who}committer${who}\n${escapes}\u202esubject\r\nx\n`,
      );
      commit(
        repository,
        'b',
        repository.git('rev-parse', 'b^{tree}'),
        `\u009b31m${escapes}\n\nCloses: ${escapes}\n`,
      );
    },
  },
  {
    name: 'a file of git index that is no index and a lock beside it',
    build(repository) {
      inside(repository, 'index', `DIRC\0\0\0\u0009${'\u0001'.repeat(4000)}`);
      for (const lock of ['index.lock', 'HEAD.lock', 'config.lock', 'packed-refs.lock', 'refs/heads/a.lock'])
        inside(repository, lock, '');
    },
  },
  {
    name: 'a commit graph and an index of packs that lie',
    build(repository) {
      inside(repository, 'objects/info/commit-graph', `CGPH\u0001\u0001\u0003\0${'OIDF'.repeat(400)}`);
      inside(repository, 'objects/pack/multi-pack-index', `MIDX\u0001\u0001\u0001\0${'\0'.repeat(300)}`);
      inside(repository, `objects/pack/pack-${'a'.repeat(40)}.idx`, `\u00fftOc${'\0'.repeat(2000)}`);
      inside(repository, `objects/pack/pack-${'a'.repeat(40)}.pack`, 'PACK\0\0\0\u0002\u007f');
    },
  },
  {
    name: 'alternates that lead in a circle and to a pipe',
    build(repository) {
      const other = join(repository.dir, '.git/other');
      mkdirSync(join(other, 'info'), { recursive: true });
      execFileSync('mkfifo', [join(repository.dir, '.git/pipe')]);
      writeFileSync(join(other, 'info/alternates'), '../objects\n/proc/self/fd\n');
      inside(
        repository,
        'objects/info/alternates',
        `${other}\n../objects\n/dev\n"quoted\\n"\n${'../other/'.repeat(50)}\n`,
      );
    },
  },
];

export const hostileGit: readonly HostileRepository[] = [...settings, ...objects];
