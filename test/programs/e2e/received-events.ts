/** A reader of the events that the page of `sigil dev` receives. */
import { request } from 'node:http';

/** Everything that a page receives, as text. */
export class ReceivedEvents {
  text = '';
  readonly #sent;

  /** @param url of the page */
  constructor(url: string) {
    const { hostname, port, hash } = new URL(url);
    const headers = { 'x-sigil-key': hash.slice(1) };
    this.#sent = request({ host: hostname, port, path: '/__sigil/api/events', headers }).on('error', () => undefined);
    this.#sent.on('response', (response) => {
      response.setEncoding('utf8').on('data', (piece: string) => (this.text += piece));
    });
    this.#sent.end();
  }

  /** The messages so far. */
  get messages(): readonly { readonly from: string; readonly text: string; readonly seq: number }[] {
    return [...this.text.matchAll(/^event: traffic\ndata: (.*)\n\n/gm)].flatMap(
      ([, data]) => (JSON.parse(data ?? '') as { entries: [] }).entries,
    );
  }

  close(): void {
    this.#sent.destroy();
  }
}
