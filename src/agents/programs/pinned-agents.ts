import { join } from 'node:path';

/** An agent's program as an npm package. Never a dependency: it has hundreds of megabytes and is not ours. */
export interface PinnedAgent {
  readonly package: string;
  readonly version: string;
  /** Candidate paths of its program below `node_modules`; the first that exists is used. */
  readonly binaries: (platform: string, arch: string) => readonly string[];
}

const triples: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
  'win32-x64': 'x86_64-pc-windows-msvc',
  'win32-arm64': 'aarch64-pc-windows-msvc',
};

/**
 * The exact versions this Joinery was tested with: npm would otherwise install the newest one that supports the running
 * Node. The paths are the native programs, not the scripts in front of them, which an install without scripts leaves
 * unfinished and which do not forward signals.
 */
export const pinnedAgents = {
  claude: {
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    binaries: (platform, arch) =>
      ['', '-musl'].map((libc) =>
        join(`@anthropic-ai/claude-code-${platform}-${arch}${libc}`, executable('claude', platform)),
      ),
  },
  codex: {
    package: '@openai/codex',
    version: '0.166.0',
    binaries: (platform, arch) => {
      const vendor = join(
        `@openai/codex-${platform}-${arch}`,
        'vendor',
        triples[`${platform}-${arch}`] ?? '',
      );
      return [join(vendor, 'bin', executable('codex', platform))];
    },
  },
  gemini: { package: '@google/gemini-cli', version: '0.61.0', binaries: () => [join('.bin', 'gemini')] },
  opencode: {
    package: 'opencode-ai',
    version: '1.18.33',
    binaries: (platform, arch) => {
      const system = platform === 'win32' ? 'windows' : platform;
      return ['', '-musl'].map((libc) =>
        join(`opencode-${system}-${arch}${libc}`, 'bin', executable('opencode', platform)),
      );
    },
  },
  qwen: { package: '@qwen-code/qwen-code', version: '0.24.4', binaries: () => [join('.bin', 'qwen')] },
  copilot: { package: '@github/copilot', version: '1.0.102', binaries: () => [join('.bin', 'copilot')] },
} as const satisfies Record<string, PinnedAgent>;

function executable(name: string, platform: string): string {
  return platform === 'win32' ? `${name}.exe` : name;
}
