/** `sigil doctor`: what is wrong with the set-up of a project, and how to mend it. */
import { resolve } from 'node:path';
import { describeExamined, examine } from '../doctor/examine';
import { readSetup } from '../doctor/read-setup';
import { printData } from '../terminal/outlet';
import type { RegisterCommand } from './command';

/** `sigil doctor [folder]`; ends with 1 if something is wrong. */
export const registerDoctor: RegisterCommand = (program) => {
  program
    .command('doctor')
    .description('look for what is wrong with the set-up of a project, and how to mend it')
    .argument('[folder]', 'of the project', '.')
    .option('--json', 'for programs')
    .action((folder: string, { json }: { json?: boolean }) => {
      const examined = examine(readSetup(resolve(folder)));
      const ok = examined.every(({ findings }) => findings.length === 0);
      const text =
        json === true ? `${JSON.stringify({ ok, checks: examined }, null, 2)}\n` : describeExamined(examined);
      printData(text);
      process.exitCode = ok ? 0 : 1;
    });
};
