/** What the methods of an endpoint work with. */
import type { Exchanges } from './exchange/exchanges';
import type { UnreadAnswers } from './exchange/unread-answers';
import type { EventStreams } from './streams/event-streams';
import type { MessageContextServices } from './context/read-message-context';

/** The services of one endpoint. */
export interface EndpointServices extends MessageContextServices {
  readonly exchanges: Exchanges;
  readonly streams: EventStreams;
  readonly unread: UnreadAnswers;
}
