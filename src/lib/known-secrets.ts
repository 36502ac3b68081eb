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
  { kind: 'a Vault token', pattern: /(?<!\w)hv[sb]\.[\w-]{24,}/g },
  { kind: 'a Terraform token', pattern: /(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/g },
  { kind: 'a Heroku key', pattern: /(?<!\w)HRKU-[\w-]{36,}/g },
  { kind: 'a Mailgun key', pattern: /(?<!\w)key-[0-9a-f]{32}(?!\w)/g },
  { kind: 'a Twilio key', pattern: /(?<!\w)SK[0-9a-f]{32}(?!\w)/g },
  { kind: 'a Discord bot token', pattern: /(?<![\w-])[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])/g },
  { kind: 'a Supabase token', pattern: /(?<!\w)(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})/g },
  { kind: 'a Docker token', pattern: /(?<!\w)dckr_(?:pat|oat)_[\w-]{27,}/g },
  { kind: 'a New Relic key', pattern: /(?<!\w)NR(?:AK|II|AA)-[\w-]{27,}/g },
  {
    kind: 'a Doppler token',
    pattern: /(?<!\w)dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}(?!\w)/g,
  },
  { kind: 'a Pulumi token', pattern: /(?<!\w)pul-[0-9a-f]{40}(?!\w)/g },
  { kind: 'a RubyGems key', pattern: /(?<!\w)rubygems_[0-9a-f]{48}(?!\w)/g },
  { kind: 'a NuGet key', pattern: /(?<!\w)oy2[a-z0-9]{43}(?!\w)/g },
  { kind: 'an Azure AD secret', pattern: /(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g },
  { kind: 'a LangSmith key', pattern: /(?<!\w)lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}(?!\w)/g },
  { kind: 'a webhook secret', pattern: /(?<!\w)whsec_[A-Za-z0-9+/]{24,}={0,2}/g },
  { kind: 'a Slack app token', pattern: /(?<!\w)xapp-\d-[A-Z0-9]+-\d+-[0-9a-f]{32,}/g },
  {
    kind: 'a private key',
    pattern: /"private_key"\s*:\s*"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\\n(?<value>[A-Za-z0-9+/]{40,})/g,
  },
  {
    kind: 'a login',
    pattern:
      /authorization["']?\s*[:=,]\s*["']?basic\s+(?!dXNlcj|QWxhZGRpbj)(?<value>[A-Za-z0-9+/]{16,}={0,2})/gi,
  },
  {
    kind: 'a login',
    pattern:
      /^[^\S\n]{0,20}machine\s{1,9}\S{1,200}\s{1,9}login\s{1,9}\S{1,200}\s{1,9}password\s{1,9}(?<value>\S{8,200})/gm,
  },
  { kind: 'a key of a cluster', pattern: /client-key-data\s*:\s*["']?(?<value>[A-Za-z0-9+/=]{60,})/g },
  {
    kind: 'a secret',
    pattern: /<(?:password|secret|apiKey|accessToken|clearTextPassword)>(?<value>[^<>\s$]{12,})<\//gi,
  },
  {
    kind: 'a token in an address',
    pattern: /[?&](?:access_token|api_key|apikey|auth_token)=(?<value>[\w.~-]{20,})/gi,
  },
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
