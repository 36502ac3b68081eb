import type { Export, Facts } from '#code/facts/facts.ts';
import type { Language } from '#code/facts/language.ts';
import type { LanguageEntry } from '#code/languages/dialect.ts';
import { javascript } from '#code/languages/typescript/dialect.ts';
import { typescriptLanguages } from '#code/languages/typescript/index.ts';

const version = 9;
const inside = 'a single-file component: its template is not read';

const [ts, tsx] = ['ts', 'tsx'].map((id) => typescriptLanguages.find((language) => language.id === id));

/** Single-file components of Vue and Svelte: what their scripts import and use. */
export const component: Language = {
  id: 'component',
  version: version,
  prepare: async () => {
    await ts?.prepare();
  },
  extract: (text) => extractScripts(text),
};

export const componentEntry: LanguageEntry = {
  language: component,
  dialect: javascript,
  endings: ['.vue', '.svelte'],
};

/**
 * An unclosed element matches the rest of the text, so that it is scanned once; it does not count. Scripts in comments and in
 * documentation are matched with these, and do not count either.
 */
const scriptElement =
  /<!--[\s\S]*?(?:-->|$)|<docs\b[^<>]*>[\s\S]*?(?:<\/docs\s*>|$)|<script\b([^<>]*)>([\s\S]*?)(?:(<\/script\s*>)|$)/g;

/** `<script type="application/ld+json">` in the head of a page, `<script type="text/x-template">`. */
const holdsData = /\btype\s*=\s*["']?[\w/.+-]*(?:json|template)\b/;

function extractScripts(text: string): Facts {
  const scripts = [...text.matchAll(scriptElement)].filter(
    ([, written = '', , end]) => end !== undefined && !holdsData.test(written),
  );
  const attributes = scripts.map(([, written = '']) => written).join(' ');
  const [, language = 'ts'] = /\blang\s*=\s*["']?(\w+)/.exec(attributes) ?? [];
  const isOurs = /^(?:tsx?|jsx?|typescript|javascript)$/.test(language);
  const hasJsx = /x$/.test(language);
  const read = (some: readonly RegExpExecArray[]) => extract(withoutTheRest(text, some), hasJsx);
  const whole = read(isOurs ? scripts : []);
  // Two scripts may declare a name twice; a script that fails alone is broken.
  const broken = whole?.syntaxError ? scripts.map((one) => read([one])?.syntaxError).find(Boolean) : null;
  const facts = whole?.syntaxError ? read([]) : whole;
  if (!facts) throw new Error('prepare() of the language component must come before extract()');
  return {
    ...facts,
    syntaxError: broken ?? null,
    module: 'esm',
    exports: facts.exports.some(({ name }) => name === 'default')
      ? facts.exports
      : [...facts.exports, itself],
    opaque: [inside],
    // The compiler separates names that `script setup` and `script` both declare.
    duplicateKeys: [],
  };
}

/** The component, which every file exports implicitly. */
const itself: Export = {
  name: 'default',
  local: null,
  from: null,
  imported: null,
  typeOnly: false,
  line: 1,
  column: 1,
  endLine: 1,
};

function extract(script: string, hasJsx: boolean): Facts | undefined {
  return (hasJsx ? tsx : ts)?.extract(script);
}

/** The scripts with blanks for everything around them: lines and columns stay. */
function withoutTheRest(text: string, scripts: readonly RegExpExecArray[]): string {
  let result = '';
  for (const script of scripts) {
    const [whole, attributes = '', content = ''] = script;
    const start = script.index + whole.indexOf('>', '<script'.length + attributes.length) + 1;
    result += blank(text.slice(result.length, start)) + content;
  }
  return result + blank(text.slice(result.length));
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ');
}
