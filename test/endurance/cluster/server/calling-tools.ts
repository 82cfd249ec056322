/** Tools for those who call, ask, follow and cancel: each answer says to which question it belongs. */
import { setTimeout as delay } from 'node:timers/promises';
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import { IsInt, IsNumber, IsString, Max, Min } from 'class-validator';
import { showsDefect } from './defect';
import { mark } from './marks';

/** A number of a client's own. */
export class Numbered {
  @IsInt() number!: number;
}

/** How far to walk. */
export class Walk {
  @IsInt() @Min(1) @Max(1000) steps: number = 100;
  @IsInt() @Min(0) @Max(1000) pause: number = 5;
}

/** Names a call. */
export class Labelled {
  @IsString() label!: string;
}

/** A call that is to be done once, and how long that takes. */
export class Errand extends Labelled {
  @IsInt() @Min(0) @Max(10_000) milliseconds: number = 0;
}

/** What a user says, and when: in milliseconds of the machine's clock that never goes back. */
export class Reply {
  @IsInt() number!: number;
  @IsNumber() sentAt!: number;
}

/** Calls. */
@Feature()
export class CallingTools {
  @Tool('Says the number again')
  async echo({ number }: Numbered): Promise<string> {
    if (showsDefect('silence')) await new Promise(() => undefined);
    if (showsDefect('forgotten-rejections')) void Promise.reject(new Error('nobody waits for this'));
    return `echo ${showsDefect('wrong-answers') ? number + 1 : number}`;
  }

  @Tool('Reports each step')
  async walk({ steps, pause }: Walk, context: McpContext): Promise<string> {
    for (let step = 1; step <= steps; step++) {
      await context.progress(step, steps);
      await delay(pause, undefined, { signal: context.signal });
    }
    return `walked ${steps}`;
  }

  @Tool('Asks the user for the number that follows, and says how long the answer took to come here')
  async ask({ number }: Numbered, context: McpContext): Promise<string> {
    const answer = await context.elicit(Reply, `What follows ${number}?`);
    if (answer.action !== 'accept') return answer.action;
    const milliseconds = Number(process.hrtime.bigint()) / 1e6 - answer.content.sentAt;
    return JSON.stringify({ number, answer: answer.content.number, milliseconds });
  }

  @Tool('Takes its time, says that it is half done, and that it was done once')
  async run({ label, milliseconds }: Errand, context: McpContext): Promise<string> {
    mark('begun', label);
    await delay(milliseconds / 2);
    await context.progress(1, 2);
    await delay(milliseconds / 2);
    return `done ${label}`;
  }

  @Tool('Waits until it is cancelled')
  async wait({ label }: Labelled, { signal }: McpContext): Promise<string> {
    mark('begun', label);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    mark('aborted', label);
    return 'aborted';
  }

  @Tool('Logs the number where the client wants to hear of details')
  speak({ number }: Numbered, { log }: McpContext): string {
    log.debug(`spoken ${number}`);
    return `spoke ${number}`;
  }
}
