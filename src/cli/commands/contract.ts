import { checkContractHere, diffContractHere, draftHere, stubsHere } from '#app/contracts/contract-here.ts';
import { flagsOf } from '#cli/args/flags.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { refuseMore } from '#cli/args/refuse-more.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { shellWord } from '#lib/shell-word.ts';
import { renderContract, renderContractDiff } from '#report/contract/contract.ts';
import { plural } from '#report/planning/words.ts';
import type { ContractDiffReport, ContractReport } from '#schema/contract-report.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import { contractTable } from './contract.table.ts';

type ContractInvocation = Invocation<typeof contractTable>;

const exits: Readonly<Record<ContractReport['status'], ExitCode>> = {
  pass: exitCodes.ok,
  fail: exitCodes.findings,
  inconclusive: exitCodes.needsPerson,
};

const diffExits: Readonly<Record<ContractDiffReport['status'], ExitCode>> = {
  same: exitCodes.ok,
  different: exitCodes.findings,
  inconclusive: exitCodes.needsPerson,
};

export const run: Run<typeof contractTable> = (invocation) => {
  const [action, what = '', ...more] = invocation.positionals;
  switch (action) {
    case 'check':
      return check(invocation, what, more);
    case 'draft':
      refuseMore('contract', 'draft', more);
      return draft(invocation, what);
    case 'diff':
      return diff(invocation, what, more);
    default:
      refuseMore('contract', 'stubs', more);
      return stubs(invocation, what);
  }
};

async function check(
  invocation: ContractInvocation,
  file: string,
  branches: readonly string[],
): Promise<ExitCode> {
  const { globals, terminal, env, options } = invocation;
  const report = await checkContractHere(invocation, file, branches, flagsOf(contractTable, options));
  terminal.settle();
  if (globals.json) terminal.printJson(report);
  else
    terminal.print(renderContract(report, { ...pageOf(terminal, env), verbose: globals.verbose === true }));
  return exits[report.status];
}

async function draft(invocation: ContractInvocation, ref: string): Promise<ExitCode> {
  const { globals, terminal, options } = invocation;
  const report = await draftHere(invocation, { ref, folder: options.in, out: options.out });
  for (const { file, reason } of report.unread) terminal.warn(`${file} cannot be read: ${reason}`);
  for (const { name, reason } of report.leftOut)
    terminal.warn(`${name} is left out: ${reason.split('; ')[0] ?? reason}`);
  const { entities, relationships } = report.contract;
  if (globals.json) terminal.printJson(report);
  else if (report.file === null) terminal.print(JSON.stringify(report.contract, null, 2));
  else
    terminal.print(
      `${report.file}: ${plural(entities.length, 'entity', 'entities')}, ${plural(relationships.length, 'relationship', 'relationships')}\nCheck a branch: joinery contract check ${shellWord(report.file)} <branch>`,
    );
  return exitCodes.ok;
}

async function diff(
  invocation: ContractInvocation,
  from: string,
  [to, extra]: readonly string[],
): Promise<ExitCode> {
  const { globals, terminal, env, options } = invocation;
  if (to === undefined || extra !== undefined) {
    throw new UsageError({
      code: 'two-commits',
      message: 'diff compares two commits',
      hint: 'joinery contract diff main feat/a',
    });
  }
  const report = await diffContractHere(invocation, [from, to], options.in);
  for (const { file, reason } of report.unread) terminal.warn(`${file} cannot be read: ${reason}`);
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderContractDiff(report, pageOf(terminal, env)));
  return diffExits[report.status];
}

async function stubs(invocation: ContractInvocation, file: string): Promise<ExitCode> {
  const { globals, terminal, options } = invocation;
  if (options.lang === undefined) {
    throw new UsageError({
      code: 'no-language',
      message: 'the language of the stubs is missing',
      hint: `joinery contract stubs ${file} --lang ts`,
    });
  }
  const report = await stubsHere(invocation, file, options.lang, options.out);
  for (const { name, reason } of report.skipped) terminal.warn(`no stub for ${name}: ${reason}`);
  if (globals.json) terminal.printJson(report);
  else terminal.print(report.files.map(({ path }) => path).join('\n'));
  return exitCodes.ok;
}
