import { spawn } from 'node:child_process';
import { withWindows } from '#app/window/open-windows.ts';
import { playDemo } from '#app/window/play-demo.ts';
import { webFolder } from '#app/window/web-folder.ts';
import { ownVersion } from '#app/workplace/version.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import { startServer } from '#server/http/serve.ts';
import type { uiTable } from './ui.table.ts';

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

export const run: Run<typeof uiTable> = async (invocation) => {
  const { options, onInterrupt } = invocation;
  const port = readPort(options.port);
  if (!loopback.has(options.host) && !options['allow-remote']) {
    throw new UsageError({
      code: 'remote-not-allowed',
      message: `${options.host} can be reached from other machines: everyone with the link could steer your runs, in every repository unless you add --only-here`,
      hint: 'add --allow-remote if you mean it',
    });
  }
  const demo = options.demo ? playDemo(invocation.env) : null;
  if (demo) onInterrupt(() => demo.end());
  const place = demo ? { cwd: demo.cwd, env: demo.env } : {};
  return serveWindow(
    { ...invocation, ...place },
    {
      host: options.host,
      port,
      page: demo ? '/?demo' : '/',
      opens: options.open,
      isOnlyHere: options['only-here'] === true,
      code: exitCodes.ok,
    },
  );
};

interface Serving {
  readonly host: string;
  readonly port: number;
  /** The page that the link opens. */
  readonly page: string;
  /** undefined: only on a terminal. */
  readonly opens: boolean | undefined;
  /** Other repositories are neither listed nor shown. */
  readonly isOnlyHere?: boolean;
  /** Exit code when the person ends the server. */
  readonly code: ExitCode;
}

/** Serves the dashboard until Ctrl-C. */
export async function serveWindow(
  invocation: Pick<Invocation, 'cwd' | 'env' | 'terminal' | 'onInterrupt' | 'globals'>,
  { host: wanted, port, page, opens, isOnlyHere = false, code }: Serving,
): Promise<ExitCode> {
  const { globals, terminal, onInterrupt } = invocation;
  const web = await webFolder(terminal.progress);
  terminal.settle();
  return withWindows(invocation, { isOnlyHere }, async (windows) => {
    const host = wanted === 'localhost' ? '127.0.0.1' : wanted;
    const server = await startServer({ windows, web, version: ownVersion(), host, port, page });
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    onInterrupt(async () => {
      await server.close();
      stop();
      return code;
    });
    const { url, link, key } = server;
    if (globals.json) terminal.printJson({ schema: 'joinery/ui@1', url, link, key });
    else terminal.print(`Dashboard: ${link}\nThe link lets one browser in. Ctrl-C ends it.`);
    if (opens ?? (process.stdout.isTTY && !globals.json)) openBrowser(link);
    await stopped;
    return code;
  });
}

function readPort(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new UsageError({
    code: 'bad-port',
    message: `--port: ${text} is not a valid port`,
    hint: 'joinery ui --port 4711',
  });
}

/** If no browser can be opened, the printed link is enough. */
function openBrowser(link: string): void {
  const program = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  spawn(program, [link], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
