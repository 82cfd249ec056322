/** `sigil check`: whether the definitions of a server are clear, safe, and within a budget of tokens. */
import { InvalidArgumentError, Option } from 'commander';
import { costData, describeOver, overBudget, overMarkdown, shownCount } from '../budget/describe-cost';
import { offerCost, type OfferCost } from '../budget/offer-cost';
import { FAILED, SUCCESS } from '../exit-status';
import { countFindings, describeFindings, findingsMarkdown } from '../lint/describe-findings';
import { ALL_HOSTS, type HostName } from '../lint/hosts/host-facts';
import { changedByHosts, isHost, refusedByHosts } from '../lint/hosts/host-rules';
import { isRule, lintServer, RULES, type DefinitionFinding } from '../lint/lint-server';
import type { OfferedServer } from '../offer/offered-server';
import { readOffer } from '../offer/read-offer';
import { suggest } from '../arguments/find-unsaid';
import { oneLine, plainMarkdown } from '../terminal/server-text';
import { exact, loadTokenizer } from '../tokens/count-tokens';
import type { RegisterCommand } from '../command-packages/command-package';
import { sessionOptions, typedTarget, withSessionOptions, type ParsedSessionOptions } from './session-options';
import type { Shell } from '../terminal/shell';

interface CheckOptions extends ParsedSessionOptions {
  readonly budget?: number;
  readonly allow: readonly string[];
  /** All of them if left out, and what they refuse does not fail the check. */
  readonly hosts?: readonly HostName[];
  readonly format: 'text' | 'markdown' | 'json';
}

const HOSTS_HELP = `the hosts that it has to fit: ${ALL_HOSTS.join(', ')} (default: all, as advice)`;

const EXAMPLES = `
Examples:
  sigil check                                        the definitions of this project
  sigil check --budget 8000                          and that its tools cost at most 8,000 tokens
  sigil check https://mcp.example.com/mcp            of any server
  sigil check --allow silent-argument,W001           without these rules
  sigil check --hosts claude,gemini                  what these hosts would refuse or change
  sigil check --format markdown >> "$GITHUB_STEP_SUMMARY"

Errors and warnings fail the check, hints do not; what a host refuses fails it if --hosts names the host. The exit
status is 1 then, and if the budget is exceeded.`;

/** Adds the command. */
export const registerCheck: RegisterCommand = (program, shell) => {
  const command = program
    .command('check')
    .summary('find unclear, unsafe and expensive definitions')
    .description(
      'Checks what a model reads of a server: whether each tool says what it does, can be told from the others and hides nothing, and what all of it ' +
        'costs in tokens. The target is that of sigil inspect.',
    )
    .argument('[target...]', 'such as src/server.ts, http://127.0.0.1:3000/mcp or -- npx some-server')
    .option('--budget <tokens>', 'the tokens that the instructions and tools may cost a caller', readBudget)
    .addOption(
      new Option('--allow <rules>', 'rules, or codes of agent-scan, that do not apply')
        .argParser(readRules)
        .default([]),
    )
    .addOption(new Option('--hosts <hosts>', HOSTS_HELP).argParser(readHosts))
    .addOption(new Option('--format <format>', 'of the report').choices(['text', 'markdown', 'json']).default('text'))
    .addHelpText('after', EXAMPLES);
  withSessionOptions(command).action(async (words: string[], typed: CheckOptions) => {
    const options = sessionOptions(shell, typed);
    const tokenizer = loadTokenizer(shell.cwd);
    const count = options.budget === undefined ? tokenizer : exact(tokenizer);
    const offer = await readOffer(typedTarget(shell, words, command), options);
    const checked = {
      offer,
      cost: offerCost(offer, count),
      findings: lintServer(offer, options.allow, options.hosts),
      budget: options.budget,
      whole: options.hosts ? [refusedByHosts.name, changedByHosts.name] : [],
      isAdvice: ({ rule }: DefinitionFinding) => options.hosts === undefined && rule === refusedByHosts.name,
    };
    REPORTS[options.format](shell, checked);
    shell.status = isFine(checked) ? SUCCESS : FAILED;
  });
};

function readBudget(text: string): number {
  const budget = /^[1-9][\d_]{0,8}$/.test(text) ? Number(text.replaceAll('_', '')) : 0;
  if (budget === 0) throw new InvalidArgumentError('It is a number of tokens, such as 8000.');
  return budget;
}

function readRules(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !isRule(name));
  if (wrong === undefined) return names;
  throw new InvalidArgumentError(`The rules are ${RULES.map(({ name }) => name).join(', ')}.`);
}

function readHosts(text: string): readonly HostName[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !isHost(name));
  if (wrong === undefined) return names.filter(isHost);
  throw new InvalidArgumentError(`No host is called ${JSON.stringify(wrong)}. ${suggest(wrong, ALL_HOSTS)}`);
}

/** What was found. */
interface Checked {
  readonly offer: OfferedServer;
  readonly cost: OfferCost;
  readonly findings: readonly DefinitionFinding[];
  readonly budget: number | undefined;
  /** The rules of which all findings are shown. */
  readonly whole: readonly string[];
  /** Whether a finding does not fail the check although it is a warning. */
  readonly isAdvice: (finding: DefinitionFinding) => boolean;
}

function isFine({ cost, findings, budget, isAdvice }: Checked): boolean {
  return overBudget(cost, budget) === undefined && findings.every((each) => each.severity === 'hint' || isAdvice(each));
}

const REPORTS: Readonly<Record<CheckOptions['format'], (shell: Shell, checked: Checked) => void>> = {
  text: printText,
  markdown: (shell, checked) => shell.printData(markdownOf(checked)),
  json: (shell, checked) => shell.printData(`${JSON.stringify(dataOf(checked), null, 2)}\n`),
};

function printText(shell: Shell, checked: Checked): void {
  const { cost, findings, budget, whole } = checked;
  const page = { width: shell.width, styles: shell.styles };
  const over = overBudget(cost, budget);
  shell.print(
    [
      headOf(checked),
      ...(over && budget !== undefined ? describeOver(cost, { over, budget }, page) : []),
      ...describeFindings(findings, page.styles, whole),
    ].join('\n'),
  );
}

/** Such as `notes: 4 tools, 478 tokens of 8,000, no findings`. */
function headOf({ offer, cost, findings, budget }: Checked): string {
  const [dearest] = cost.audiences;
  const about = cost.encoding === 'estimate' ? 'about ' : '';
  const tokens = `${about}${shownCount(dearest?.tokens ?? 0)} tokens${budget === undefined ? '' : ` of ${shownCount(budget)}`}`;
  const tools = `${dearest?.tools ?? 0} ${dearest?.tools === 1 ? 'tool' : 'tools'}`;
  return `${oneLine(offer.name)}: ${tools}, ${tokens}, ${countFindings(findings)}.`;
}

function markdownOf(checked: Checked): string {
  const { cost, findings, budget } = checked;
  const over = overBudget(cost, budget);
  return [
    `### ${plainMarkdown(headOf(checked))}`,
    '',
    ...(over && budget !== undefined ? [overMarkdown(cost, over, budget)] : []),
    findingsMarkdown(findings),
  ].join('\n');
}

function dataOf(checked: Checked): object {
  const { offer, cost, findings, budget } = checked;
  return {
    ok: isFine(checked),
    server: offer.name,
    revision: offer.revision,
    ...(budget !== undefined && { budget }),
    cost: costData(cost),
    findings,
  };
}
