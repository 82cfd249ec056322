/** One HTTP request and what came back, judged. */
import type { Message } from '../../../support/transcript';
import type { RawResponse } from '../wires/read-responses';
import type { Expectation } from './expectation';
import { judgeSaid } from './ledger';

/** What is known of a request. */
export interface Sent {
  readonly expectation: Expectation;
  /** Whether its response must come, and be the right one. */
  readonly isStrict: boolean;
  /** Whether its response may last as long as its client. */
  readonly isOpenEnded: boolean;
  readonly path: string;
  /** The revisions that its response may be in, as far as is known when it comes. */
  readonly revisions: () => readonly string[];
}

/** One exchange. */
export class HttpExchange {
  readonly problems: string[] = [];
  /** What the response said so far, message by message. */
  readonly said: Message[] = [];
  response: RawResponse | undefined;
  lastEventId: string | undefined;
  /** Set where its connection was spoiled before its response had come. */
  isExcused = false;
  #read = 0;
  readonly #onMessage: (message: Message) => void;

  constructor(
    readonly sent: Sent,
    onMessage: (message: Message) => void,
  ) {
    this.#onMessage = onMessage;
  }

  /** Takes the response as far as it has come. */
  readonly take = (response: RawResponse): void => {
    this.response = response;
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) this.#readEvents(response);
    else if (response.isComplete && response.body !== '') this.#readJson(response, type);
    if (response.isComplete && response.status >= 500 && !this.#isRefusedLoad(response))
      this.problems.push(`status ${response.status}: ${response.body.slice(0, 300)}`);
  };

  get isComplete(): boolean {
    return this.response?.isComplete ?? false;
  }

  get isStrict(): boolean {
    return this.sent.isStrict && !this.isExcused;
  }

  /** The answer to the request, where one came. */
  answers(key: string): Message[] {
    return this.said.filter((message) => !('method' in message) && JSON.stringify(message['id']) === key);
  }

  /** What is wrong with what came, once nothing more will. @param cancelled ids that were cancelled, as JSON */
  verdict(cancelled: ReadonlySet<string>): string[] {
    const { isOpenEnded, expectation } = this.sent;
    if (!this.isStrict) return this.problems;
    if (!this.response)
      return isOpenEnded ? this.problems : [...this.problems, `no response (${JSON.stringify(expectation)})`];
    return [
      ...this.problems,
      ...this.#compare(expectation, this.response, cancelled).map((what) => `${what}: ${this.#summary()}`),
    ];
  }

  #compare(expectation: Expectation, { status }: RawResponse, cancelled: ReadonlySet<string>): string[] {
    const answers = this.said.filter((message) => !('method' in message));
    const unnamed = answers.filter(({ id }) => id === undefined || id === null);
    switch (expectation.kind) {
      case 'nothing':
        return status === 202
          ? answers.length === 0
            ? []
            : ['a notification was answered']
          : status >= 400
            ? []
            : ['odd status'];
      case 'refusal':
        return unnamed.length === 1 && answers.length === 1 && status >= 400
          ? []
          : ['what cannot be read is refused once'];
      case 'answer':
        return this.#compareAnswer(expectation.request.key, status, cancelled);
      case 'batch':
        return this.#compareBatch(expectation, cancelled);
    }
  }

  #compareAnswer(key: string, status: number, cancelled: ReadonlySet<string>): string[] {
    const count = this.answers(key).length;
    if (count === 1 || (this.sent.isOpenEnded && count === 0)) return [];
    return count === 0 && cancelled.has(key) && (status === 202 || status === 200) ? [] : [`${count} answers`];
  }

  #compareBatch({ members }: Expectation & { kind: 'batch' }, cancelled: ReadonlySet<string>): string[] {
    const answers = this.said.filter((message) => !('method' in message));
    const isRefused =
      answers.length === 1 && answers[0]?.['error'] && answers[0]['id'] === (answers[0]['id'] ?? undefined);
    if (this.sent.isOpenEnded || (isRefused && answers[0]?.['id'] === undefined)) return [];
    if (answers.length === 1 && answers[0]?.['id'] === null && this.response && this.response.status >= 400) return [];
    return members.flatMap((member) => {
      if (member.kind !== 'answer') return [];
      const { key } = member.request;
      const wanted = members.filter((other) => other.kind === 'answer' && other.request.key === key).length;
      const came = this.answers(key).length;
      return came === wanted || (cancelled.has(key) && came <= wanted) ? [] : [`${came} answers to ${key} of a batch`];
    });
  }

  #readEvents({ body }: RawResponse): void {
    for (let end = body.indexOf('\n\n', this.#read); end >= 0; end = body.indexOf('\n\n', this.#read)) {
      const fields = body.slice(this.#read, end).split('\n');
      this.#read = end + 2;
      const valueOf = (name: string): string | undefined =>
        fields.find((field) => field.startsWith(`${name}: `))?.slice(name.length + 2);
      this.lastEventId = valueOf('id') ?? this.lastEventId;
      const data = valueOf('data');
      // The HTTP+SSE transport begins with the path for messages.
      if (data && valueOf('event') !== 'endpoint') this.#readText(data);
    }
  }

  #readJson({ body }: RawResponse, type: string): void {
    if (this.sent.path === '/healthz' && body === '{"status":"ok"}') return;
    if (!type.startsWith('application/json'))
      this.problems.push(`a body of ${type || 'no type'}: ${body.slice(0, 200)}`);
    this.#readText(body);
  }

  #readText(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return void this.problems.push(`not JSON: ${text.slice(0, 200)}`);
    }
    for (const message of (Array.isArray(value) ? value : [value]) as Message[]) this.#judge(message);
  }

  #judge(message: Message): void {
    const { expectation, revisions } = this.sent;
    this.said.push(message);
    const requests =
      expectation.kind === 'answer' ? [expectation] : expectation.kind === 'batch' ? expectation.members : [];
    const methods = requests.flatMap((each) =>
      each.kind === 'answer' && each.request.key === JSON.stringify(message?.['id']) ? [each.request.method] : [],
    );
    const wrong = judgeSaid(message, { revisions: revisions(), methods });
    if (wrong.length > 0) this.problems.push(`${wrong.join('; ')}: ${JSON.stringify(message).slice(0, 300)}`);
    else this.#onMessage(message);
  }

  /** Whether the server says that it has too much to do, which is an answer. */
  #isRefusedLoad({ status }: RawResponse): boolean {
    return status === 503;
  }

  #summary(): string {
    return JSON.stringify({
      expected: this.sent.expectation,
      status: this.response?.status,
      isComplete: this.isComplete,
      said: this.said,
    }).slice(0, 600);
  }
}
