// #region guard
import { Injectable, isSuspension, type Access, type Call, type Guard, type Interceptor } from '@sigil-mcp/core';

/** What a guard refuses is neither listed nor callable. Put it on a method or a class: @UseGuards(Staff). */
@Injectable()
export class Staff implements Guard {
  readonly dependsOn = 'rights'; // it looks at nothing but the caller's kind, scopes and roles

  allows({ caller }: Access): boolean {
    return caller.kind === 'local' || caller.hasRole('staff');
  }
}

/**
 * Middleware. createServer({ interceptors: [Timing] }): around every method.
 * @UseInterceptors(Timing): around a handler.
 */
@Injectable()
export class Timing implements Interceptor {
  async intercept({ method, entry, context }: Call, next: () => Promise<unknown>): Promise<unknown> {
    if (!entry) return next(); // a list, a ping, or a name that does not exist
    const start = performance.now();
    try {
      return await next();
    } catch (error) {
      if (isSuspension(error)) throw error; // a question on its way to the user: never swallow it
      throw error;
    } finally {
      context.log.debug(method, { entry: `${entry.kind} ${entry.key}`, ms: performance.now() - start });
    }
  }
}
// #endregion guard
