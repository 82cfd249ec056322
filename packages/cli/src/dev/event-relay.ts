/** Passes the events of a stream on, one by one, so that each can be looked at. */

/** One event of an event stream. */
export interface RelayedEvent {
  readonly id: string | undefined;
  /** Undefined where it is a comment, or says only when to come back. */
  readonly data: string | undefined;
  /** Its other lines, as they came. */
  readonly others: readonly string[];
}

/** Text that comes in pieces -> events. */
export class EventReader {
  #rest = '';

  /** The events that a piece completes. */
  read(piece: string): RelayedEvent[] {
    const blocks = (this.#rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.map(readEvent);
  }
}

/** An event as text. */
export function writeEvent({ id, data, others }: RelayedEvent): string {
  const lines = [
    ...others,
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(data === undefined ? [] : data.split('\n').map((line) => `data: ${line}`)),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** A message as the text of an event. */
export function messageEvent(data: string): string {
  return writeEvent({ id: undefined, data, others: ['event: message'] });
}

function readEvent(block: string): RelayedEvent {
  const lines = block.split('\n');
  const valueOf = (name: string): string[] =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''));
  const data = valueOf('data');
  return {
    id: valueOf('id')[0],
    data: data.length > 0 ? data.join('\n') : undefined,
    others: lines.filter((line) => !/^(id|data):/.test(line)),
  };
}
