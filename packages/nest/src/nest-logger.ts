/** The log of the server in the log of Nest. */
import { Logger as NestLogger } from '@nestjs/common';
import type { Logger } from '@sigil-mcp/core';

/** Writes the server's log with the logger of the application, under the context `MCP`. */
export class NestLog implements Logger {
  readonly #logger = new NestLogger('MCP');

  debug(fields: object, message: string): void {
    this.#logger.debug(lineOf(fields, message));
  }

  info(fields: object, message: string): void {
    this.#logger.log(lineOf(fields, message));
  }

  warn(fields: object, message: string): void {
    this.#logger.warn(lineOf(fields, message));
  }

  error(fields: object, message: string): void {
    const { err } = fields as { readonly err?: unknown };
    this.#logger.error(lineOf(fields, message), err instanceof Error ? err.stack : undefined);
  }
}

function lineOf(fields: object, message: string): string {
  const { err, ...others } = fields as { readonly err?: unknown };
  const reason = err === undefined ? '' : `: ${err instanceof Error ? err.message : jsonOf([err])}`;
  return `${message}${reason}${Object.keys(others).length > 0 ? ` ${jsonOf(others)}` : ''}`;
}

/** A log entry must not fail because of a value that JSON cannot hold. */
function jsonOf(fields: object): string {
  try {
    return JSON.stringify(fields);
  } catch {
    return Object.keys(fields).join(', ');
  }
}
