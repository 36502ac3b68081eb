interface KnownSecret {
  readonly kind: string;
  /** The group `value` is the part that must stay secret; without the group it is the whole match. */
  readonly pattern: RegExp;
  /** Harmless texts share this form: it is reported, but never blocks. */
  readonly isUncertain?: boolean;
}

/** Formats that issuers gave their secrets to make them recognisable. */
export const knownSecrets: readonly KnownSecret[] = [
  { kind: 'an AWS access key', pattern: /(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Z0-9])/g },
  {
    kind: 'an AWS secret key',
    pattern:
      /aws[\w.-]{0,20}(?:secret|sk)[\w.-]{0,20}["']?\s*[:=]\s*["']?(?<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  { kind: 'a GitHub token', pattern: /(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,})/g },
  { kind: 'a GitLab token', pattern: /(?<!\w)gl(?:pat|ptt|dt|rt)-[\w-]{20,}/g },
  { kind: 'a Slack token', pattern: /(?<!\w)xox[abeprs]-[\w-]{16,}/g },
  { kind: 'a Slack webhook', pattern: /hooks\.slack\.com\/services\/T\w{6,}\/B\w{6,}\/(?<value>\w{16,})/g },
  { kind: 'a Stripe key', pattern: /(?<!\w)[rs]k_live_[A-Za-z0-9]{16,}/g },
  { kind: 'an Anthropic key', pattern: /(?<!\w)sk-ant-[\w-]{20,}/g },
  { kind: 'an API key', pattern: /(?<![\w-])sk-(?:proj-|svcacct-)?(?!ant-)[A-Za-z0-9_]{20,}[\w-]*/g },
  { kind: 'a Google API key', pattern: /(?<!\w)AIza[\w-]{35}(?![\w-])/g },
  { kind: 'a Google client secret', pattern: /(?<!\w)GOCSPX-[\w-]{20,}/g },
  { kind: 'an npm token', pattern: /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/g },
  { kind: 'a PyPI token', pattern: /(?<!\w)pypi-AgEI[\w-]{50,}/g },
  { kind: 'a SendGrid key', pattern: /(?<!\w)SG\.[\w-]{16,32}\.[\w-]{16,64}/g },
  { kind: 'an Azure storage key', pattern: /AccountKey=(?<value>[A-Za-z0-9+/]{60,}={0,2})/g },
  { kind: 'a DigitalOcean token', pattern: /(?<!\w)do[opr]_v1_[0-9a-f]{64}/g },
  { kind: 'a Hugging Face token', pattern: /(?<!\w)hf_[A-Za-z]{34}(?!\w)/g },
  { kind: 'a Databricks token', pattern: /(?<!\w)dapi[0-9a-f]{32}(?!\w)/g },
  { kind: 'a Shopify token', pattern: /(?<!\w)shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}(?!\w)/g },
  { kind: 'a Telegram bot token', pattern: /(?<!\w)\d{8,10}:AA[\w-]{33}(?!\w)/g },
  { kind: 'a registry token', pattern: /_authToken\s*=\s*(?<value>[^\s$"'{}]{16,})/g },
  { kind: 'an age key', pattern: /AGE-SECRET-KEY-1[0-9A-Z]{58}/g },
  {
    kind: 'a JSON web token',
    pattern: /(?<!\w)eyJ[\w-]{10,1000}\.eyJ[\w-]{10,}\.[\w-]{20,}/g,
    isUncertain: true,
  },
];

export const privateKeyHeader = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;

/** `scheme://user:password@host`. */
export const urlWithPassword =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/(?<user>[^\s:@/"'`<>]*):(?<value>[^\s:@/"'`<>]{3,})@(?<host>[\w.-]+)/gi;

/** A name that suggests a secret, and the text assigned to it. */
export const namedSecret =
  /(?<name>[\w.-]{0,40}(?:secret|token|passwd|password|pwd|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|credential)[\w.-]{0,40})["'`]?\]?\s*(?::|=>|:=|=|,)\s*(?:[\w.]+\s*\(\s*)?["'`](?<value>[^"'`\s]{16,})["'`]/gi;

/** The same in settings files, where text needs no quotes. */
export const namedSetting =
  /^\s*(?:export\s+|-\s+)?(?<name>[\w.-]{0,40}(?:secret|token|passwd|password|pwd|api[_-]?key|access[_-]?key|private[_-]?key|credential)[\w.-]{0,40})\s*[:=]\s*(?<value>[^\s"'`#;]{16,})\s*(?:[#;].*)?$/i;
