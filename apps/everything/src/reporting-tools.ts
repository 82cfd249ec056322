/** Tools that report something before their result, or instead of it: progress, log messages, failures. */
import { setTimeout as delay } from 'node:timers/promises';
import { Feature, McpContext, Tool, ToolFailure } from '@sigil-mcp/core';

/** Milliseconds between two reports. */
const PAUSE = 50;

/** Progress, logging and failure. */
@Feature()
export class ReportingTools {
  @Tool('Always fails, with a message that a model can read', { name: 'test_error_handling' })
  fail(): never {
    throw new ToolFailure('This tool intentionally returns an error for testing');
  }

  @Tool('Reports progress three times before it answers', { name: 'test_tool_with_progress' })
  async progress(context: McpContext): Promise<string> {
    for (const done of [0, 50, 100]) {
      await context.progress(done, 100, `Completed step ${done} of 100`);
      await delay(PAUSE, undefined, { signal: context.signal });
    }
    return 'Progress was reported three times.';
  }

  @Tool('Logs three messages to the client before it answers', { name: 'test_tool_with_logging' })
  async logging(context: McpContext): Promise<string> {
    for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      context.log.info(message);
      await delay(PAUSE, undefined, { signal: context.signal });
    }
    return 'Three messages were logged.';
  }

  @Tool('Logs one message, which the client gets if the request asked for it', { name: 'test_logging_tool' })
  requestLogging(context: McpContext): string {
    context.log.info('Logged on behalf of one request');
    return 'One message was logged.';
  }
}
