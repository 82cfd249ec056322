/** Event streams as observers of the server see them; used only for a server with observers. */
import { readAddress, type ObservedStream, type Observers, type StreamEndReason } from '@sigil-mcp/core/adapter';
import { withoutToken, type HttpCall } from '../call';
import type { EventWriter } from '../port';
import type { EventStream } from './event-stream';
import { WholeStream } from './whole-stream';

/** The request that a stream answers. */
export interface AskedStream extends Pick<ObservedStream, 'kind'> {
  readonly call: HttpCall;
}

/** Reports a stream, and its end. */
export function observeStream(stream: EventStream, asked: AskedStream, observers: Observers): void {
  const ended = report(asked, observers);
  stream.onClose(() => ended(stream.endReason));
}

/** A complete stream, which is reported. */
export class ObservedWholeStream extends WholeStream {
  readonly #ended: (reason: StreamEndReason) => void;

  constructor(
    whole: string,
    private readonly call: HttpCall,
    observers: Observers,
  ) {
    super(whole);
    this.#ended = report({ call, kind: 'post' }, observers);
  }

  override open(writer: EventWriter): void {
    const isHandedOver = writer.isOpen && writer.unread === 0;
    const end = (): void => this.#ended(isHandedOver || writer.wasDelivered ? 'answered' : 'client-gone');
    if (isHandedOver) end();
    else this.call.request.onClosed(end);
  }

  override discard(): void {
    this.#ended('failed');
  }
}

/** Returns what reports the end. */
function report({ call, kind }: AskedStream, observers: Observers): (reason: StreamEndReason) => void {
  const { caller, request } = call;
  const stream: ObservedStream = {
    kind,
    caller,
    headers: withoutToken(request.headers),
    address: readAddress(request.address),
  };
  const ended = observers.stream(stream);
  return (reason) => {
    const limit = call.abortedBy;
    ended({ reason: limit === undefined ? reason : 'limit', limit });
  };
}
