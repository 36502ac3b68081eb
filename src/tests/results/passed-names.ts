const ticked = /^( *)[✓✔√] (.+?)(?: \(?[\d.]+ ?m?s\)?)?$/;
const wholeFile = /^ *[✓✔√] .* \(\d+ tests?(?: \| [^()]*)?\)(?: [\d.]+ ?m?s)?$/;
const heading = /^( *)(?:▶ )?(\S.*)$/;
const named: readonly RegExp[] = [
  /^(\S+::\S.*?) PASSED(?: +\[ *\d+%\])?$/,
  /^(?:\[gw\d+\] \[ *\d+%\] )?PASSED (\S+::\S.*)$/,
  /^(\w+ \([\w.]+\))(?: \.\.\.|.* \.\.\.) ok$/,
  /^test (\S.*?)(?: - should panic)? \.\.\. ok$/,
  /^\s*PASS \[[^\]]*\] (?:\([^)]*\) )?(.+)$/,
  /^\s*--- PASS: (\S+) \([\d.]+s\)$/,
];

/** Names of passed tests where a runner lists them for people, with the suites above them. */
export function passedNames(lines: readonly string[]): string[] {
  const above: { indent: number; name: string }[] = [];
  const names: string[] = [];
  for (const line of lines) {
    const listed = named.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined);
    if (listed !== undefined) {
      names.push(listed);
      continue;
    }
    // Vitest ticks whole files where it does not list their tests.
    const [, space = '', title] = (wholeFile.test(line) ? null : ticked.exec(line)) ?? [];
    const [, indent = '', text = ''] = heading.exec(line) ?? [];
    const depth = title === undefined ? indent.length : space.length;
    while ((above.at(-1)?.indent ?? -1) > depth || (above.at(-1)?.indent === depth && title === undefined))
      above.pop();
    if (title === undefined) {
      if (text !== '') above.push({ indent: depth, name: text });
      continue;
    }
    // A suite of node:test is ticked too, below its tests and under its own name.
    const own = above.at(-1);
    if (own?.indent === depth && own.name === title) above.pop();
    else
      names.push([...above.filter((each) => each.indent < depth).map(({ name }) => name), title].join(' > '));
  }
  return names;
}

/** The last part of a name: what stays when a test moves to another file or suite. */
export function titleOf(name: string): string {
  const last = name.split(/ > | › /).at(-1) ?? name;
  return last
    .replace(/~\d+$/, '')
    .replace(/^(\w+) \([\w.]+\)$/, '$1')
    .replace(/^[^[]*::/, '');
}
