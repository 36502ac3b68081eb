import { ownVersion } from '#app/workplace/version.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { mcpTable } from './mcp.table.ts';

type McpInvocation = Invocation<typeof mcpTable>;

export const run: Run<typeof mcpTable> = (invocation) => {
  const [action] = invocation.positionals;
  if (action === 'install' || action === 'uninstall') return install(invocation, action);
  return invocation.options.http ? serveOnHttp(invocation) : serve(invocation);
};

async function install(invocation: McpInvocation, action: 'install' | 'uninstall'): Promise<ExitCode> {
  const { options, globals, terminal, env } = invocation;
  if (options.agent === undefined) {
    throw new UsageError({
      code: 'missing-option',
      message: `${action} needs the name of an agent`,
      hint: `joinery mcp ${action} --agent claude`,
    });
  }
  const { installMcp } = await import('#app/setup/install-mcp.ts');
  const { renderSettingsChange } = await import('#report/setup/settings-change.ts');
  const report = await installMcp(invocation, action, options.agent, options['dry-run'] === true);
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderSettingsChange(report, "starts joinery's tools", pageOf(terminal, env)));
  return exitCodes.ok;
}

function serverOptions({ cwd, env }: McpInvocation) {
  return {
    cwd,
    env,
    version: ownVersion(),
    warn: (message: string) => process.stderr.write(`warning: ${message}\n`),
  };
}

/** Stdout belongs to the protocol. */
async function serve(invocation: McpInvocation): Promise<ExitCode> {
  const { serveStdio } = await import('#server/mcp/serve-stdio.ts');
  await serveStdio(serverOptions(invocation));
  return exitCodes.ok;
}

async function serveOnHttp(invocation: McpInvocation): Promise<ExitCode> {
  const { options, globals, terminal, env, onInterrupt } = invocation;
  const port = Number(options.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError({
      code: 'bad-value',
      message: `--port cannot be ${options.port}`,
      hint: '--port 7311',
    });
  }
  const { serveHttp } = await import('#server/mcp/serve-http.ts');
  const token = env.JOINERY_MCP_TOKEN;
  const server = await serveHttp(serverOptions(invocation), { port, ...(token ? { token } : {}) });
  if (globals.json)
    terminal.printJson({ schema: 'joinery/mcp-http@1', url: server.url, token: server.token });
  else terminal.print(`${server.url}\nAuthorization: Bearer ${server.token}`);
  const ended = Promise.withResolvers<void>();
  onInterrupt(async () => {
    await server.close();
    ended.resolve();
  });
  await ended.promise;
  return exitCodes.ok;
}
