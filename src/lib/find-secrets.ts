import {
  knownSecrets,
  namedSecret,
  namedSetting,
  privateKeyHeader,
  urlWithPassword,
} from './known-secrets.ts';

interface AddedLine {
  readonly line: number;
  readonly text: string;
}

/** Where a secret seems to be. Does not contain its value, so that nothing can print it. */
export interface SecretSite {
  readonly kind: string;
  readonly line: number;
  readonly isCertain: boolean;
}

/** Most lines contain none of these, so one search skips them. */
const worthALook =
  /AKIA|ASIA|ABIA|ACCA|gh[pousr]_|github_pat|gl(?:pat|ptt|dt|rt)-|xox[abeprs]-|hooks\.slack|_live_|sk-|AIza|GOCSPX|npm_|pypi-|SG\.|AccountKey|_v1_|hf_|dapi|shp(?:at|ca|pa|ss)_|:AA|_auth|AGE-SECRET|hv[sb]\.|atlasv1|HRKU-|SK[0-9a-f]{8}|[MNO][\w-]{23,25}\.|sbp_|sb_secret|dckr_|NR(?:AK|II|AA)-|dp\.|pul-|rubygems_|oy2|Q~|lsv2_|whsec_|xapp-|basic|machine|apikey|eyJ|PRIVATE KEY|:\/\/|secret|token|passw|pwd|key|credential|[A-Za-z0-9+/_=-]{40}/i;

const settingsFile =
  /(^|\/)(\.env[\w.-]*|[^/]+\.(env|properties|ini|cfg|conf|toml|ya?ml|npmrc))$|(^|\/)\.npmrc$/;
/** Generated files, full of hashes: only patterns of known issuers count there. */
const hashesFile =
  /(^|\/)([\w.-]{0,200}lock[\w.-]{0,200}\.(json|ya?ml|toml)|[\w.-]*\.lock|go\.sum|npm-shrinkwrap\.json|[\w.-]+\.(map|svg|snap|min\.js|min\.css|ipynb|pem\.pub|crt|csv))$/;

export function findSecrets(path: string, lines: readonly AddedLine[]): SecretSite[] {
  const found: SecretSite[] = [];
  lines.forEach(({ line, text }, index) => {
    if (!worthALook.test(text)) return;
    const known = knownIn(text);
    if (privateKeyHeader.test(text) && hasKeyBody(lines, index))
      found.push({ kind: 'a private key', line, isCertain: true });
    for (const { kind, isCertain } of known) found.push({ kind, line, isCertain });
    if (known.length > 0 || hashesFile.test(path)) return;
    if (hasPasswordUrl(text)) found.push({ kind: 'a URL with a password', line, isCertain: true });
    else if (hasNamedSecret(path, text)) found.push({ kind: 'a secret', line, isCertain: true });
    else if (hasRandomText(text)) found.push({ kind: 'a random key', line, isCertain: false });
  });
  return found;
}

function knownIn(text: string): { kind: string; isCertain: boolean }[] {
  return knownSecrets.flatMap(({ kind, pattern, isUncertain }) =>
    [...text.matchAll(pattern)].some((match) => !isPlaceholder(match.groups?.value ?? match[0]))
      ? [{ kind, isCertain: isUncertain !== true }]
      : [],
  );
}

/** Every program that reads keys contains the header alone. */
function hasKeyBody(lines: readonly AddedLine[], index: number): boolean {
  const here = (lines[index] as AddedLine).text.replace(/^.*PRIVATE KEY(?: BLOCK)?-----/, '');
  const next = lines.slice(index + 1, index + 4).map(({ text }) => text);
  return [here, ...next].some((text) => /[A-Za-z0-9+/]{40}/.test(text) && !isPlaceholder(text));
}

function hasPasswordUrl(text: string): boolean {
  return [...text.matchAll(urlWithPassword)].some(({ groups = {} }) => {
    const { user = '', value = '', host = '' } = groups;
    if (isPlaceholder(value) || value === user || weakPassword.test(value)) return false;
    const isLocal = /^(localhost|127\.[\d.]+|0\.0\.0\.0|host\.docker\.internal|[a-z]+)$/.test(host);
    return !(
      /(^|\.)example\.(com|org|net)$|\.(test|invalid|example)$/.test(host) ||
      (isLocal && value.length < 16)
    );
  });
}

const weakPassword =
  /^(pass(word|wd)?\d*|pwd|secret\d*|test\w*|user\w*|admin\d*|root|guest|postgres|mysql|hunter2|foo|bar|baz|p|pw|abc\d*|123\d*|(key|token)[_-]?\d{0,6})$/i;

function hasNamedSecret(path: string, text: string): boolean {
  const quoted = [...text.matchAll(namedSecret)];
  const bare = settingsFile.test(path) ? [namedSetting.exec(text)].filter((match) => match !== null) : [];
  return [...quoted, ...bare].some(({ groups = {} }) => {
    const { name = '', value = '' } = groups;
    if (/hash|digest|checksum|integrity|sha\d|public|_id$|_url$|_uri$|_name$|endpoint|header/i.test(name))
      return false;
    return isRandom(value, 3.4);
  });
}

/** Long text of mixed characters without a known pattern: a person should look at it. */
function hasRandomText(text: string): boolean {
  if (text.length > 1000 || /integrity|sha\d{3}-|base64,|https?:\/\/|checksum|digest/i.test(text))
    return false;
  return [...text.matchAll(/["'`](?<value>[A-Za-z0-9+/_=-]{40,200})["'`]/g)].some(({ groups }) =>
    isRandom(groups?.value ?? '', 4.5),
  );
}

function isRandom(value: string, bits: number): boolean {
  if (isPlaceholder(value) || (/^[0-9a-f]+$/i.test(value) && hashLengths.has(value.length) && bits > 4))
    return false;
  if (/^[a-z]+:\/\/|^[./~]|process\.env|os\.environ|\bgetenv\b|^(env|secrets?|vault|vars?)[.:]/i.test(value))
    return false;
  if (uuid.test(value) || !/\d/.test(value) || /^[a-z]+([-_.:/][a-z]+)*\d{0,4}$/i.test(value)) return false;
  const isMixed = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return isMixed >= (bits > 4 ? 3 : 2) && entropy(value) >= bits;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const hashLengths: ReadonlySet<number> = new Set([32, 40, 56, 64, 96, 128]);

/** Examples, references and placeholders to fill in. */
function isPlaceholder(value: string): boolean {
  if (
    /example|placeholder|dummy|fake|change.?me|redacted|sample|your|insert|replace|not.?a.?(real|secret)|xxxx|\*{3}|\.{3}|…|[<>]|\$[{(\w]|%[({]|\{\{|#\{/i.test(
      value,
    )
  )
    return true;
  return /0123456789|1234567890|abcdefghij/i.test(value) || entropy(value) < 2.8;
}

/** Bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
