/** Libraries that come with Ruby: `require 'json'` brings no name of the project. */
export const standardLibrary: ReadonlySet<string> = new Set(
  `abbrev base64 benchmark bigdecimal cgi coverage csv date dbm debug delegate did_you_mean digest drb English erb etc
  fcntl fiddle fileutils find forwardable getoptlong io/console io/wait ipaddr irb json logger matrix minitest
  minitest/autorun monitor mutex_m net/http nkf objspace observer open-uri open3 openssl optparse ostruct pathname
  pp prettyprint prime pstore psych pty racc rdoc readline resolv ripper rinda securerandom set shellwords
  singleton socket stringio strscan syslog tempfile test/unit time timeout tmpdir tsort un uri weakref win32ole yaml zlib`.split(
    /\s+/,
  ),
);
