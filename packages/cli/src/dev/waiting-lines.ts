/** The lines that a client has sent and no server has read yet. */
import type { RequestId } from '@sigil-mcp/protocol';
import { isRequest, takeOut } from './message-shape';

/** Lines in the order in which they came. */
export class WaitingLines {
  #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line);
  }

  /** Takes all lines out. */
  takeAll(): readonly string[] {
    return this.#lines.splice(0);
  }

  /** Drops a request that the client gives up; the others of its batch stay. @returns whether it waited here */
  cancel(id: RequestId): boolean {
    let isFound = false;
    this.#lines = this.#lines.flatMap((line) => {
      const { taken, rest } = takeOut(line, (message) => isRequest(message) && message.id === id);
      isFound ||= taken.length > 0;
      return rest === undefined ? [] : [rest];
    });
    return isFound;
  }
}
