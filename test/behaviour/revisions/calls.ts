/** A feature whose calls last as long as a test wants, and tell what they hear. */
import { Feature, McpContext, Tool } from '@sigil-mcp/core';

/** Holds calls open until the test lets go. */
@Feature()
export class Patience {
  static readonly waiting: (() => void)[] = [];
  static readonly aborted: string[] = [];

  @Tool('Waits until it is let go, or cancelled')
  async wait(context: McpContext): Promise<string> {
    await new Promise<void>((resolve) => {
      Patience.waiting.push(resolve);
      context.signal.addEventListener('abort', () => {
        // The reason of our signals is always an error.
        Patience.aborted.push((context.signal.reason as Error).message);
        resolve();
      });
    });
    await context.progress(99);
    context.log.error('after the end');
    return 'done';
  }

  @Tool('Waits as fetch does: rejects when it is cancelled')
  reject(context: McpContext): Promise<never> {
    return new Promise((_resolve, reject) =>
      context.signal.addEventListener('abort', () => reject(context.signal.reason as Error)),
    );
  }

  @Tool('Never returns')
  hang(): Promise<never> {
    return new Promise(() => undefined);
  }

  @Tool('Tells how far it is')
  async walk(context: McpContext): Promise<string> {
    await context.progress(0, 100, 'starting');
    await context.progress(50, 100);
    await context.progress(50, 100, 'not further, so not told');
    await context.progress(20, 100, 'back, so not told');
    await context.progress(Number.NaN);
    await context.progress(100, 100, 'there');
    setImmediate(() => void context.progress(200));
    return 'arrived';
  }

  @Tool('Logs at every level')
  chatter(context: McpContext): string {
    context.log.debug('d');
    context.log.info('i');
    context.log.notice('n', { detail: { deep: [1] } });
    context.log.warning('w');
    context.log.error('e');
    context.log.critical('c');
    context.log.alert('a');
    context.log.emergency('m');
    setImmediate(() => context.log.emergency('too late'));
    return 'said';
  }
}

/** Lets go of every call that waits. */
export function letGo(): void {
  for (const resolve of Patience.waiting.splice(0)) resolve();
}
