/** The rules for definitions as a check of `sigil doctor`: it needs the program of the project, which the other checks do not. */
import type { Examined } from '../doctor/examine';
import { CliFailure } from '../failure';
import { offerOfDescription } from '../offer/described-offer';
import { canLoadCore, describePlaced } from '../offer/read-offer';
import { findEntry, hasEntry } from '../project/find-project';
import { readTarget } from '../targets/read-target';
import { lintServer } from './lint-server';
import type { Shell } from '../terminal/shell';

/** The rule that another check of the doctor has, without the program. */
const KNOWN = ['placeholder'];

/**
 * Checks what the server of a project offers.
 * @returns undefined if its program cannot be loaded: then other checks say why, or `sigil inspect` does
 */
export async function examineDefinitions(
  shell: Shell,
  folder: string,
  signal: AbortSignal,
): Promise<Examined | undefined> {
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
