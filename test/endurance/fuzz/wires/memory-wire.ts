/** Conversations in memory, in another process: its channel carries the texts, each client over a pipe of its own. */
import type { WatchedServer } from '../../../support/watched/watched-server';
import type { Conversation } from '../traffic/conversation';
import { DuplexTalk } from './duplex-talk';

interface Parcel {
  readonly pipe?: number;
  readonly text?: string;
  readonly thrown?: string;
  readonly closed?: boolean;
}

/** The clients of one server. */
export class MemoryWire {
  #next = 0;
  readonly #receivers = new Map<number, (parcel: Parcel) => void>();

  constructor(private readonly server: WatchedServer) {
    server.child.on('message', (parcel: Parcel) => {
      if (parcel.pipe !== undefined) this.#receivers.get(parcel.pipe)?.(parcel);
    });
  }

  /** Plays a conversation. @returns what is wrong */
  async play(conversation: Conversation, patience: number): Promise<string[]> {
    const pipe = this.#next++;
    const { server } = this;
    const tell = (parcel: Parcel): void => {
      if (server.ended === undefined && server.child.connected) server.child.send({ pipe, ...parcel });
    };
    const thrown: string[] = [];
    const talk = new DuplexTalk(conversation, {
      send: ({ text }, ledger) => {
        ledger.sent(text);
        tell({ text });
      },
      flush: () => undefined,
      get ended() {
        return server.ended;
      },
    });
    this.#receivers.set(pipe, (parcel) => {
      if (parcel.thrown !== undefined) thrown.push(`thrown at the sender: ${parcel.thrown}`);
      if (parcel.text !== undefined) talk.receive(parcel.text);
      if (parcel.closed) this.#receivers.delete(pipe);
    });
    const problems = await talk.play(patience);
    tell({ closed: true, close: true } as Parcel);
    return [...problems, ...thrown];
  }
}
