import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostileRepository } from './hostile-repository.ts';
import { add, addEntries, blob, config, escapes, inside, object, program } from './kit.ts';

export const hostileReferences: readonly HostileRepository[] = [
  {
    name: 'objects replaced by others and by themselves',
    build(repository) {
      const [main, a, b] = ['main', 'a', 'b'].map((name) => repository.git('rev-parse', name)) as [
        string,
        string,
        string,
      ];
      inside(repository, `refs/replace/${main}`, `${b}\n`);
      inside(repository, `refs/replace/${b}`, `${a}\n`);
      inside(repository, `refs/replace/${a}`, `${main}\n`);
    },
  },
  {
    name: 'grafts that make a circle of the history and a shallow end',
    build(repository) {
      const [main, a, b] = ['main', 'a', 'b'].map((name) => repository.git('rev-parse', name)) as [
        string,
        string,
        string,
      ];
      inside(repository, 'info/grafts', `${main} ${a}\n${a} ${b}\n${b} ${main}\n`);
      inside(repository, 'shallow', `${a}\n${'f'.repeat(40)}\n`);
    },
  },
  {
    name: 'twenty thousand branches and tags in one file',
    build(repository) {
      const id = repository.git('rev-parse', 'a');
      const line = (name: string) => `${id} refs/${name}\n`;
      const numbers = Array.from({ length: 10_000 }, (_, index) => String(index).padStart(5, '0'));
      inside(
        repository,
        'packed-refs',
        '# pack-refs with: peeled fully-peeled sorted \n' +
          numbers.map((number) => line(`heads/t/${number}`)).join('') +
          numbers.map((number) => line(`tags/v${number}`)).join(''),
      );
    },
  },
  {
    name: 'branches whose names are options and commands',
    build(repository, trap) {
      const id = repository.git('rev-parse', 'a');
      program(repository, trap);
      for (const name of ['--output=a.ts', '-a', '$(.git/helper)', '`.git/helper`', ';.git/helper;', '@'])
        inside(repository, `refs/heads/${name}`, `${id}\n`);
    },
    args: ['main', 'refs/heads/--output=a.ts', 'refs/heads/-a', '$(.git/helper)'],
  },
  {
    name: 'refs packed with escapes and from right to left and in no order',
    build(repository) {
      const id = repository.git('rev-parse', 'b');
      inside(
        repository,
        'packed-refs',
        `# pack-refs with: sorted \r\n${id} refs/heads/z\u202eevil\n${id} refs/heads/${escapes}\n^${id}\nnonsense\n${id} refs/heads/a\n`,
      );
    },
    args: ['main', 'a', 'z\u202eevil'],
  },
  {
    name: 'tags and files with the names of the branches',
    build(repository) {
      const main = repository.git('rev-parse', 'main');
      for (const name of ['a', 'b', 'main']) {
        inside(repository, `refs/tags/${name}`, `${main}\n`);
        inside(repository, `refs/heads/refs/heads/${name}`, `${main}\n`);
        inside(repository, name, 'ref: refs/heads/b\n');
      }
    },
  },
  {
    name: 'branches that are symbolic and lead in a circle or out',
    build(repository) {
      inside(repository, 'refs/heads/a', 'ref: refs/heads/circle\n');
      inside(repository, 'refs/heads/circle', 'ref: refs/heads/a\n');
      inside(repository, 'refs/heads/b', 'ref: ../../../../../../etc/passwd\n');
      inside(repository, 'HEAD', `ref: refs/heads/${'x'.repeat(5000)}\n`);
    },
  },
  {
    name: 'a branch that is a tag of a tag of a tree',
    build(repository) {
      let id = repository.git('rev-parse', 'a^{tree}');
      for (let depth = 0; depth < 500; depth += 1)
        id = object(
          repository,
          'tag',
          `object ${id}\ntype ${depth ? 'tag' : 'tree'}\ntag t${depth}\ntagger T <t@x> 1 +0000\n\nx\n`,
        );
      inside(repository, 'refs/heads/a', `${id}\n`);
      inside(repository, 'refs/heads/b', `${blob(repository, 'no commit')}\n`);
    },
  },
  {
    name: 'a submodule whose address and update are commands',
    build(repository, trap) {
      const helper = program(repository, trap);
      const modules = `[submodule "../../x"]\n\tpath = zsub\n\turl = ext::${helper}\n\tupdate = !${helper}\n\tfetchRecurseSubmodules = true\n[submodule "-u${helper}"]\n\tpath = -u\n\turl = -u${helper}\n`;
      add(repository, 'a', { '.gitmodules': modules });
      addEntries(repository, 'a', [
        { mode: '160000', name: 'zsub', id: repository.git('rev-parse', 'main') },
      ]);
      repository.write({ 'zsub/.git': 'gitdir: ../.git/modules/zsub\n' });
      inside(
        repository,
        'modules/zsub/config',
        `[core]\n\tfsmonitor = ${helper}\n\tworktree = ../../../zsub\n`,
      );
      inside(repository, 'modules/zsub/HEAD', 'ref: refs/heads/main\n');
      mkdirSync(join(repository.dir, '.git/modules/zsub/objects'), { recursive: true });
      mkdirSync(join(repository.dir, '.git/modules/zsub/refs'), { recursive: true });
      config(
        repository,
        '[submodule]\n\trecurse = true\n[diff]\n\tsubmodule = log\n[status]\n\tsubmoduleSummary = true\n',
      );
    },
  },
  {
    name: 'a bare repository with programs of its own inside the tree',
    build(repository, trap) {
      const helper = program(repository, trap);
      add(repository, 'a', {
        'vendor/x.git/HEAD': 'ref: refs/heads/main\n',
        'vendor/x.git/config': `[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${helper}\n`,
        'vendor/x.git/objects/keep': '',
        'vendor/x.git/refs/keep': '',
        HEAD: 'ref: refs/heads/main\n',
        config: `[core]\n\tbare = true\n\tfsmonitor = ${helper}\n`,
        'objects/keep': '',
        'refs/keep': '',
      });
    },
  },
  {
    name: 'a git folder that is a file that leads elsewhere',
    build(repository, trap) {
      const helper = program(repository, trap).replace('/.git/', '/.hidden/');
      config(repository, `[core]\n\tfsmonitor = ${helper}\n`);
      execFileSync('mv', ['.git', '.hidden'], { cwd: repository.dir });
      writeFileSync(join(repository.dir, '.git'), 'gitdir: .hidden\n');
      writeFileSync(join(repository.dir, '.hidden/commondir'), '../.hidden\n');
    },
  },
];
