/** The lines of a client that no server has received yet. */
import type { RequestId } from '@sigil-mcp/protocol';
import { isRequest, takeOut } from './message-shape';

/** Lines in the order in which they arrived. */
export class WaitingLines {
  #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line);
  }

  /** Takes all lines out. */
  takeAll(): readonly string[] {
    return this.#lines.splice(0);
  }

  /** Drops a request that the client cancels; the others of its batch stay. @returns whether it was waiting here */
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
