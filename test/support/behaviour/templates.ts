/** Code of one module in the two languages of the tested runners. */
interface Code {
  readonly js: string;
  readonly py: string;
}

/** A call and its result, in both languages. */
interface Expectation {
  readonly call: Code;
  readonly value: Code;
}

/**
 * Behaviour that two branches disagree about. One adds a feature that relies on the module; the other changes the module:
 * so that the feature's test fails (`changed`), or so that it cannot notice (`same`).
 */
export interface Template {
  readonly name: string;
  readonly base: Code;
  readonly feature: Code;
  readonly relies: Expectation;
  readonly changed: { readonly module: Code; readonly tested: Expectation };
  readonly same: { readonly module: Code; readonly tested: Expectation };
}

const both = (text: string): Code => ({ js: text, py: text });
const code = (js: string, py: string): Code => ({ js, py });

export const templates: readonly Template[] = [
  {
    name: 'a price that grows',
    base: code('export const act = (n) => n * 10;', 'def act(n):\n    return n * 10'),
    feature: code('export const feature = (n) => act(n) - 5;', 'def feature(n):\n    return act(n) - 5'),
    relies: { call: both('feature(2)'), value: both('15') },
    changed: {
      module: code('export const act = (n) => n * 12;', 'def act(n):\n    return n * 12'),
      tested: { call: both('act(1)'), value: both('12') },
    },
    same: {
      module: code(
        'const each = 10;\nexport const act = (n) => each * n;',
        'EACH = 10\n\n\ndef act(n):\n    return EACH * n',
      ),
      tested: { call: both('act(1)'), value: both('10') },
    },
  },
  {
    name: 'rounding',
    base: code('export const act = (n) => Math.ceil(n / 3);', 'def act(n):\n    return -(-n // 3)'),
    feature: code('export const feature = (n) => act(n) + 1;', 'def feature(n):\n    return act(n) + 1'),
    relies: { call: both('feature(4)'), value: both('3') },
    changed: {
      module: code('export const act = (n) => Math.floor(n / 3);', 'def act(n):\n    return n // 3'),
      tested: { call: both('act(5)'), value: both('1') },
    },
    same: {
      module: code(
        'export const act = (n) => Math.floor((n + 2) / 3);',
        'def act(n):\n    return (n + 2) // 3',
      ),
      tested: { call: both('act(5)'), value: both('2') },
    },
  },
  {
    name: 'the order of a list',
    base: code('export const act = (list) => [...list].sort();', 'def act(items):\n    return sorted(items)'),
    feature: code(
      'export const feature = (list) => act(list)[0];',
      'def feature(items):\n    return act(items)[0]',
    ),
    relies: { call: both('feature(["b", "a", "c"])'), value: both('"a"') },
    changed: {
      module: code(
        'export const act = (list) => [...list].sort().reverse();',
        'def act(items):\n    return sorted(items, reverse=True)',
      ),
      tested: { call: both('act(["x", "y"])[0]'), value: both('"y"') },
    },
    same: {
      module: code(
        'export const act = (list) => list.toSorted ? list.toSorted() : list.slice().sort();',
        'def act(items):\n    ordered = list(items)\n    ordered.sort()\n    return ordered',
      ),
      tested: { call: both('act(["y", "x"])[0]'), value: both('"x"') },
    },
  },
  {
    name: 'a unit',
    base: code('export const act = () => 1500;', 'def act():\n    return 1500'),
    feature: code('export const feature = () => act() / 1000;', 'def feature():\n    return act() / 1000'),
    relies: { call: both('feature()'), value: both('1.5') },
    changed: {
      module: code('export const act = () => 1.5;', 'def act():\n    return 1.5'),
      tested: { call: both('act()'), value: both('1.5') },
    },
    same: {
      module: code(
        'const seconds = 1.5;\nexport const act = () => seconds * 1000;',
        'SECONDS = 1.5\n\n\ndef act():\n    return int(SECONDS * 1000)',
      ),
      tested: { call: both('act()'), value: both('1500') },
    },
  },
  {
    name: 'an empty input',
    base: code(
      'export const act = (text) => (text ? text.split(",") : []);',
      'def act(text):\n    return text.split(",") if text else []',
    ),
    feature: code(
      'export const feature = (text) => act(text).length;',
      'def feature(text):\n    return len(act(text))',
    ),
    relies: { call: both('feature("")'), value: both('0') },
    changed: {
      module: code(
        'export const act = (text) => {\n  if (!text) throw new Error("no text");\n  return text.split(",");\n};',
        'def act(text):\n    if not text:\n        raise ValueError("no text")\n    return text.split(",")',
      ),
      tested: { call: code('act("a,b").length', 'len(act("a,b"))'), value: both('2') },
    },
    same: {
      module: code(
        'export const act = (text) => {\n  if (typeof text !== "string") throw new Error("no text");\n  return text === "" ? [] : text.split(",");\n};',
        'def act(text):\n    if text is None:\n        raise ValueError("no text")\n    return text.split(",") if text else []',
      ),
      tested: { call: code('act("a,b").length', 'len(act("a,b"))'), value: both('2') },
    },
  },
  {
    name: 'upper and lower case',
    base: code('export const act = (key) => key.trim();', 'def act(key):\n    return key.strip()'),
    feature: code(
      'export const feature = (key) => `<${act(key)}>`;',
      'def feature(key):\n    return f"<{act(key)}>"',
    ),
    relies: { call: both('feature(" Key ")'), value: both('"<Key>"') },
    changed: {
      module: code(
        'export const act = (key) => key.trim().toLowerCase();',
        'def act(key):\n    return key.strip().lower()',
      ),
      tested: { call: both('act("A")'), value: both('"a"') },
    },
    same: {
      module: code(
        'export const act = (key) => key.replace(/^\\s+|\\s+$/g, "");',
        'def act(key):\n    return key.lstrip().rstrip()',
      ),
      tested: { call: both('act(" A")'), value: both('"A"') },
    },
  },
  {
    name: 'the form of an id',
    base: code('export const act = (n) => `u-${n}`;', 'def act(n):\n    return f"u-{n}"'),
    feature: code('export const feature = (n) => act(n).slice(2);', 'def feature(n):\n    return act(n)[2:]'),
    relies: { call: both('feature(7)'), value: both('"7"') },
    changed: {
      module: code('export const act = (n) => `user-${n}`;', 'def act(n):\n    return f"user-{n}"'),
      tested: { call: both('act(1)'), value: both('"user-1"') },
    },
    same: {
      module: code(
        'export const act = (n) => ["u", n].join("-");',
        'def act(n):\n    return "-".join(["u", str(n)])',
      ),
      tested: { call: both('act(1)'), value: both('"u-1"') },
    },
  },
  {
    name: 'where counting begins',
    base: code('export const act = (page) => page * 20;', 'def act(page):\n    return page * 20'),
    feature: code(
      'export const feature = (page) => act(page) + 20;',
      'def feature(page):\n    return act(page) + 20',
    ),
    relies: { call: both('feature(0)'), value: both('20') },
    changed: {
      module: code(
        'export const act = (page) => (page - 1) * 20;',
        'def act(page):\n    return (page - 1) * 20',
      ),
      tested: { call: both('act(1)'), value: both('0') },
    },
    same: {
      module: code(
        'const size = 20;\nexport const act = (page) => Math.max(0, page) * size;',
        'SIZE = 20\n\n\ndef act(page):\n    return max(0, page) * SIZE',
      ),
      tested: { call: both('act(1)'), value: both('20') },
    },
  },
  {
    name: 'a default',
    base: code(
      'export const act = (list, most = 3) => list.slice(0, most);',
      'def act(items, most=3):\n    return items[:most]',
    ),
    feature: code(
      'export const feature = (list) => act(list).length;',
      'def feature(items):\n    return len(act(items))',
    ),
    relies: { call: both('feature([1, 2, 3, 4])'), value: both('3') },
    changed: {
      module: code(
        'export const act = (list, most = 2) => list.slice(0, most);',
        'def act(items, most=2):\n    return items[:most]',
      ),
      tested: { call: code('act([1, 2, 3]).length', 'len(act([1, 2, 3]))'), value: both('2') },
    },
    same: {
      module: code(
        'export const act = (list, most = 3) => list.filter((_, at) => at < most);',
        'def act(items, most=3):\n    return [item for at, item in enumerate(items) if at < most]',
      ),
      tested: { call: code('act([1, 2, 3], 1).length', 'len(act([1, 2, 3], 1))'), value: both('1') },
    },
  },
  {
    name: 'what is left untouched',
    base: code(
      'export const act = (list) => {\n  list.push(0);\n  return list;\n};',
      'def act(items):\n    items.append(0)\n    return items',
    ),
    feature: code(
      'export const feature = (list) => {\n  act(list);\n  return list.length;\n};',
      'def feature(items):\n    act(items)\n    return len(items)',
    ),
    relies: { call: both('feature([1])'), value: both('2') },
    changed: {
      module: code('export const act = (list) => [...list, 0];', 'def act(items):\n    return [*items, 0]'),
      tested: { call: code('act([1]).length', 'len(act([1]))'), value: both('2') },
    },
    same: {
      module: code(
        'export const act = (list) => {\n  list[list.length] = 0;\n  return list;\n};',
        'def act(items):\n    items += [0]\n    return items',
      ),
      tested: { call: code('act([1]).length', 'len(act([1]))'), value: both('2') },
    },
  },
];
