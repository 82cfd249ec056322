/** What a request or a stream needs of the client that it belongs to. */
import type { World } from '../world';
import type { Arrival, Sending } from './send';

/** A client with a session. */
export interface InSession {
  readonly world: World;
  /** For the book. */
  readonly name: string;
  readonly isOpen: boolean;
  /** A request with the headers of the session. */
  sendInSession(sending: Sending): Promise<Arrival>;
  /** Whether a response says that the session is over; then it was lost, unless there is an excuse. */
  isLost(response: Response): boolean;
}
