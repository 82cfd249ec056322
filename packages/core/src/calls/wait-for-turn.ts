/** A call waits for calls of others: that is no time of the tool, and its client receives progress, so that it does not give up. */
import { unawaited } from '@sigil-mcp/base';
import type { OuterCall } from './read-request';

/** Progress of a call that waits for its turn, and of one that has it: below all that a handler reports, because progress increases. */
const [WAITS, RUNS] = [-2, -1];

/** The call that waits. */
export type WaitingCall = Pick<OuterCall, 'tellProgress' | 'timeLimit' | 'request'>;

/**
 * Waits until it is its turn. Rejects as `turn` does.
 * @param name of the tool
 */
export async function waitForTurn(call: WaitingCall, turn: Promise<unknown>, name: string): Promise<void> {
  call.timeLimit?.pause();
  try {
    const { outer } = call.request;
    await (outer ? waitForTurn(outer, turn, name) : tellTurn(call, turn, name));
  } finally {
    call.timeLimit?.resume();
  }
}

/** Of several calls of one script, the first wait is reported. */
async function tellTurn(call: WaitingCall, turn: Promise<unknown>, name: string): Promise<void> {
  const tell = (progress: number, message: string): void =>
    unawaited((async () => call.tellProgress(progress, undefined, message))());
  tell(WAITS, `The tool ${name} waits for its turn.`);
  await turn;
  tell(RUNS, `The tool ${name} runs.`);
}
