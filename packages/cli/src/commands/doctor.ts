/** `sigil doctor`: the problems in the set-up of a project, and how to fix them. */
import { resolve } from 'node:path';
import { describeClasses } from '../doctor/dtos/examined-classes';
import { examineClasses } from '../doctor/dtos/examine-classes';
import { describeExamined, examine } from '../doctor/examine';
import { readSetup } from '../doctor/read-setup';
import { examineDefinitions } from '../lint/examine-definitions';
import { interruptible } from '../terminal/interruption';
import { printData } from '../terminal/outlet';
import { whileBlocked } from '../terminal/while-blocked';
import type { RegisterCommand } from './command';

/** `sigil doctor [folder]`; the exit status is 1 if there are problems. */
export const registerDoctor: RegisterCommand = (program) => {
  program
    .command('doctor')
    .description('find problems in the set-up of a project, and how to fix them')
    .argument('[folder]', 'the folder of the project', '.')
    .option('--dtos <files>', "check the classes of these files instead of the set-up: 'src/**/*.dto.ts', or a folder")
    .option('--json', 'for programs')
    .action(async (folder: string, { json, dtos }: { json?: boolean; dtos?: string }) => {
      if (dtos !== undefined) return tellClasses(resolve(folder), dtos, json === true);
      const setup = whileBlocked('Checking the project', () => examine(readSetup(resolve(folder))));
      const definitions = await interruptible(({ signal }) => examineDefinitions(resolve(folder), signal));
      const examined = definitions ? [...setup, definitions] : setup;
      const ok = examined.every(({ findings }) => findings.length === 0);
      const text =
        json === true ? `${JSON.stringify({ ok, checks: examined }, null, 2)}\n` : describeExamined(examined);
      printData(text);
      process.exitCode = ok ? 0 : 1;
    });
};

async function tellClasses(folder: string, pattern: string, json: boolean): Promise<void> {
  const found = await examineClasses(readSetup(folder), pattern);
  printData(json ? `${JSON.stringify(found, null, 2)}\n` : describeClasses(found));
  process.exitCode = found.classes.some(({ refused }) => refused.length > 0) ? 1 : 0;
}
