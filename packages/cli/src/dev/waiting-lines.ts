/** What a client has said and no server has heard yet. */
import type { RequestId } from '@sigil-mcp/protocol';
import { isRequest, takeOut } from './message-shape';

/** Lines in the order in which they came. */
export class WaitingLines {
  #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line);
  }

  /** All of them; none is left. */
  takeAll(): readonly string[] {
    return this.#lines.splice(0);
  }

  /** What the client gives up is not sent at all, but the others of its batch are. @returns whether it waited here */
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
