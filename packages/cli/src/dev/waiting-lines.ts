/** The lines of a client that no server has received yet. */
import type { Clock, Timer } from '@sigil-mcp/core/adapter';
import type { RequestId } from '@sigil-mcp/protocol';
import { isRequest, takeOut } from './message-shape';

/** Lines in the order in which they arrived. */
export class WaitingLines {
  #lines: string[] = [];
  #onEmpty: (() => void)[] = [];

  add(line: string): void {
    this.#lines.push(line);
  }

  /** Takes all lines out. */
  takeAll(): readonly string[] {
    const lines = this.#lines.splice(0);
    this.#tellEmpty();
    return lines;
  }

  /** Resolves when no line waits, which may be now, or at the latest after this time. */
  async empty(milliseconds: number, clock: Clock): Promise<void> {
    let timer: Timer | undefined;
    await new Promise<void>((resolve) => {
      timer = clock.after(milliseconds, resolve);
      this.#onEmpty.push(resolve);
      this.#tellEmpty();
    });
    timer?.close();
  }

  /** Drops a request that the client cancels; the others of its batch stay. @returns whether it was waiting here */
  cancel(id: RequestId): boolean {
    let isFound = false;
    this.#lines = this.#lines.flatMap((line) => {
      const { taken, rest } = takeOut(line, (message) => isRequest(message) && message.id === id);
      isFound ||= taken.length > 0;
      return rest === undefined ? [] : [rest];
    });
    this.#tellEmpty();
    return isFound;
  }

  #tellEmpty(): void {
    if (this.#lines.length === 0) for (const tell of this.#onEmpty.splice(0)) tell();
  }
}
