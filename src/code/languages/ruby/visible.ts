/** What a file sees without an import. Written by scripts/visible-names.ts: Object.constants of Ruby and of the libraries that come with it. */
export const visible: ReadonlySet<string> = new Set(
  `
  ARGF ARGV ArgumentError Array BasicObject Benchmark BigDecimal Binding CSV Class Comparable Complex ConditionVariable DATA Data Date
  DateTime Delegator Digest Dir ENV EOFError ERB Encoding EncodingError Enumerable Enumerator Errno Etc Exception FalseClass Fiber File
  FileTest FileUtils Find Float FloatDomainError Forwardable FrozenError GC Hash IO IOError IPAddr IndexError Integer Interrupt JSON
  Kernel KeyError LoadError LocalJumpError Logger Marshal MatchData Math Method Minitest Module Monitor Mutex NameError Net NilClass
  NoMatchingPatternError NoMemoryError NoMethodError NotImplementedError Numeric Object ObjectSpace Observable Open3 OpenSSL OpenStruct
  OptionParser PP PStore Pathname Proc Process Psych Queue RUBY_PLATFORM RUBY_VERSION Ractor Random Range RangeError Rational RbConfig
  Refinement Regexp RegexpError RuntimeError STDERR STDIN STDOUT ScriptError SecureRandom SecurityError Set Shellwords Signal
  SignalException SimpleDelegator Singleton SizedQueue Socket StandardError StopIteration String StringIO StringScanner Struct Symbol
  SyntaxError SystemCallError SystemExit SystemStackError TCPServer TCPSocket TOPLEVEL_BINDING TSort Tempfile Test Thread ThreadError
  ThreadGroup Time Timeout TracePoint TrueClass TypeError URI UnboundMethod UncaughtThrowError WeakRef YAML ZeroDivisionError Zlib
  `
    .trim()
    .split(/\s+/),
);
