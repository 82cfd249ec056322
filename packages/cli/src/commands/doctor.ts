/** `sigil doctor`: the problems in the set-up of a project, and how to fix them. */
import { describeClasses } from '../doctor/dtos/examined-classes';
import { examineClasses } from '../doctor/dtos/examine-classes';
import { describeExamined, examine, type Examined } from '../doctor/examine';
import { readSetup } from '../doctor/read-setup';
import { describeMemory, memoryFinding, readMemory } from '../doctor/running-server';
import { interruptible } from '../terminal/interruption';
import { whileBlocked } from '../terminal/status-line';
import type { RegisterCommand } from '../command-packages/command-package';
import type { Shell } from '../terminal/shell';
import { CliFailure } from '../failure';
import { offerOfDescription } from '../offer/described-offer';
import { canLoadCore, describePlaced } from '../offer/read-offer';
import { findEntry, hasEntry } from '../project/find-project';
import { readTarget } from '../targets/read-target';
import { lintServer } from '../lint/lint-server';

/** The rule that another check of the doctor has, without the program. */
const KNOWN = ['placeholder'];

/** `sigil doctor [folder]`; the exit status is 1 if there are problems. */
export const registerDoctor: RegisterCommand = (program, shell) => {
  program
    .command('doctor')
    .description('find problems in the set-up of a project, and how to fix them')
    .argument('[folder]', 'the folder of the project, or the address of a running server', '.')
    .option('--dtos <files>', "check the classes of these files instead of the set-up: 'src/**/*.dto.ts', or a folder")
    .option('--json', 'for programs')
    .action(async (folder: string, { json, dtos }: { json?: boolean; dtos?: string }) => {
      if (/^https?:\/\//i.test(folder)) return tellMemory(shell, folder, json === true);
      if (dtos !== undefined) return tellClasses(shell, { folder: shell.path(folder), pattern: dtos }, json === true);
      const setup = whileBlocked(shell, 'Checking the project', () => examine(readSetup(shell.path(folder))));
      const definitions = await interruptible(shell, ({ signal }) =>
        examineDefinitions(shell, shell.path(folder), signal),
      );
      const examined = definitions ? [...setup, definitions] : setup;
      const ok = examined.every(({ findings }) => findings.length === 0);
      const text =
        json === true ? `${JSON.stringify({ ok, checks: examined }, null, 2)}\n` : describeExamined(examined);
      shell.printData(text);
      shell.status = ok ? 0 : 1;
    });
};

/** What clients make a running server hold. */
async function tellMemory(shell: Shell, address: string, json: boolean): Promise<void> {
  const memory = await interruptible(shell, ({ signal }) => readMemory(address, signal));
  const finding = memoryFinding(memory);
  const ok = finding === undefined;
  shell.printData(json ? `${JSON.stringify({ ok, memory }, null, 2)}\n` : describeMemory(memory, finding));
  shell.status = ok ? 0 : 1;
}

async function tellClasses(
  shell: Shell,
  { folder, pattern }: { readonly folder: string; readonly pattern: string },
  json: boolean,
): Promise<void> {
  const found = await examineClasses(readSetup(folder), pattern);
  shell.printData(json ? `${JSON.stringify(found, null, 2)}\n` : describeClasses(found));
  shell.status = found.classes.some(({ refused }) => refused.length > 0) ? 1 : 0;
}

/**
 * Checks what the server of a project offers.
 * @returns undefined if its program cannot be loaded: then other checks say why, or `sigil inspect` does
 */
async function examineDefinitions(shell: Shell, folder: string, signal: AbortSignal): Promise<Examined | undefined> {
  if (!hasEntry(folder) || !canLoadCore(findEntry(folder))) return undefined;
  try {
    const description = await describePlaced(await readTarget(shell, [findEntry(folder)], signal), signal);
    const findings = lintServer(offerOfDescription(description), KNOWN, [])
      .filter(({ severity }) => severity !== 'hint')
      .map(({ place, entry = 'the server', problem, fix }) => ({
        problem: `${place === undefined ? '' : `${place}: `}${entry}: ${problem}.`,
        fix,
      }));
    return { title: 'Definitions are clear and safe', findings };
  } catch (error) {
    if (!signal.aborted && error instanceof CliFailure) return undefined;
    throw error;
  }
}
