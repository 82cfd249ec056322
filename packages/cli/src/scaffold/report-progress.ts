/** What `sigil new` shows while it works: a turning sign on a terminal, a line for each finished step elsewhere. */
import { print, show } from '../terminal/outlet';
import { ERASE_LINE } from '../terminal/status-line';

/** Shows one step from its beginning to its end. */
export type ShowStep = <T>(doing: string, done: string, step: () => Promise<T>) => Promise<T>;

const FRAMES = ['◒', '◐', '◓', '◑'];

/** The time between two frames, milliseconds. */
const PACE = 120;

/** @returns the way to show steps here */
export function stepsFor(terminal: boolean): ShowStep {
  return terminal ? showTurning : showLines;
}

/** Shows a turning sign; the keys are left alone, so that Ctrl-C is a signal while another program runs. */
async function showTurning<T>(doing: string, done: string, step: () => Promise<T>): Promise<T> {
  let frame = 0;
  const draw = (): void => show(process.stdout, `${ERASE_LINE}${FRAMES[frame++ % FRAMES.length]}  ${doing}`);
  draw();
  const timer = setInterval(draw, PACE);
  try {
    const result = await step();
    print(`${ERASE_LINE}◇  ${done}`);
    return result;
  } catch (error) {
    print(`${ERASE_LINE}■  ${doing}`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

async function showLines<T>(_doing: string, done: string, step: () => Promise<T>): Promise<T> {
  const result = await step();
  print(done);
  return result;
}
