/** An interceptor that logs how long each tool, resource and prompt took. */
import type { Call, Interceptor } from '@sigil-mcp/core';

/** Runs around every request; requests without an entry (lists, ping) are not measured. */
export class Timing implements Interceptor {
  async intercept({ entry, method, context }: Call, next: () => Promise<unknown>): Promise<unknown> {
    if (!entry) return next();
    const started = performance.now();
    try {
      return await next();
    } finally {
      const milliseconds = Math.round((performance.now() - started) * 1000) / 1000;
      context.log.info(`${method} ${entry.key}`, { milliseconds });
    }
  }
}
