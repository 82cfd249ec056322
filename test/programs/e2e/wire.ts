/** A server on a raw wire: a test says what is sent, and sees everything that comes. */
import type { Exit } from '../../support/spawned-server';
import type { Message } from '../../support/transcript';

/** One client of one process. */
export interface Wire {
  /** Everything that the server sent. */
  readonly messages: readonly Message[];
  /** Sends a request. @returns its id */
  start(method: string, params?: object): number;
  /** Sends a request and waits for its answer. */
  request(method: string, params?: object): Promise<Message>;
  /** A request that names its revision itself. */
  requestAlone(method: string, params?: object): Promise<Message>;
  initialize(protocolVersion: string): Promise<Message>;
  /** Takes a request back, in the way of the transport. */
  cancel(id: number): void;
  /** Ends the process as its transport ends. */
  end(): Promise<Exit>;
}
