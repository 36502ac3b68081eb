import type { CommandTable } from '#cli/args/table.ts';

export const completionTable = {
  name: 'completion',
  summary: 'print a script that completes commands in your shell',
  description:
    'Prints a script that completes commands, options, their values and branches. Load it when the shell starts.',
  positionals: [{ name: 'shell', values: ['bash', 'zsh', 'fish'], description: 'The shell you use.' }],
  options: [],
  examples: [
    { command: 'eval "$(joinery completion bash)"', meaning: 'In ~/.bashrc; with zsh in ~/.zshrc.' },
    { command: 'joinery completion fish | source', meaning: 'In ~/.config/fish/config.fish.' },
  ],
  exitCodes: { ok: 'Printed.', usage: 'There is no such shell.' },
} as const satisfies CommandTable;
