/** Tools that are tasks: what each has done is said when it is done, so that doing it twice is seen. */
import { setTimeout as delay } from 'node:timers/promises';
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import { IsInt } from 'class-validator';
import { Errand, Labelled, Reply } from './calling-tools';
import { showsDefect } from './defect';
import { mark } from './marks';

/** A question about a number, and its name. */
export class Riddle extends Labelled {
  @IsInt() number!: number;
}

/** Tasks. */
@Feature()
export class TaskTools {
  @Tool('Takes its time, and says when the work is done', { task: 'required' })
  async errand({ label, milliseconds }: Errand, context: McpContext): Promise<string> {
    await delay(milliseconds / 2);
    await context.progress(1, 2);
    mark('worked', label);
    await delay(milliseconds / 2);
    return `done ${label}`;
  }

  @Tool('Asks for the number that follows, and works with the answer', { task: 'required' })
  async riddle({ number, label }: Riddle, context: McpContext): Promise<string> {
    const answer = await context.elicit(Reply, `What follows ${number}?`, { key: 'number' });
    mark('worked', label);
    if (showsDefect('double-work')) mark('worked', label);
    await delay(20);
    return JSON.stringify({ number, answer: answer.action === 'accept' ? answer.content.number : answer.action });
  }

  @Tool('Works until it is cancelled', { task: 'required' })
  async drudge({ label }: Labelled, { signal }: McpContext): Promise<string> {
    mark('begun', label);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    mark('aborted', label);
    return 'aborted';
  }
}
