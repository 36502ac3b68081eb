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

/** Constants of Ruby and its libraries. */
export const builtinConstants: ReadonlySet<string> = new Set(
  `ARGF ARGV ArgumentError Array BasicObject Benchmark BigDecimal Binding CSV Class Comparable Complex ConditionVariable
  DATA Data Date DateTime Delegator Digest Dir ENV EOFError ERB Encoding EncodingError Enumerable Enumerator Errno
  Etc Exception FalseClass Fiber File FileTest FileUtils Find FloatDomainError Float Forwardable FrozenError GC Hash IO IOError
  IPAddr IndexError Integer Interrupt JSON Kernel KeyError LoadError LocalJumpError Logger Marshal MatchData Math Method
  Minitest Module Monitor Mutex NameError Net NilClass NoMatchingPatternError NoMemoryError NoMethodError
  NotImplementedError Numeric Object ObjectSpace Observable Open3 OpenSSL OpenStruct OptionParser PP PStore Pathname Proc
  Process Psych Queue RUBY_PLATFORM RUBY_VERSION Ractor Random Range RangeError Rational Refinement Regexp RegexpError RbConfig
  RuntimeError STDERR STDIN STDOUT ScriptError SecureRandom SecurityError Set Shellwords Signal SignalException
  SimpleDelegator Singleton SizedQueue Socket StandardError StopIteration String StringIO StringScanner Struct Symbol
  SyntaxError SystemCallError SystemExit SystemStackError TCPServer TCPSocket TOPLEVEL_BINDING TSort Tempfile Test Thread
  ThreadError ThreadGroup Time Timeout TracePoint TrueClass TypeError URI UnboundMethod UncaughtThrowError WeakRef YAML
  ZeroDivisionError Zlib`.split(/\s+/),
);
