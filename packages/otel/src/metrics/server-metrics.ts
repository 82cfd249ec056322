/** The metrics of a server. No attribute takes a value from a client, but the names of entries and methods that exist. */
import { ValueType, type Meter, type UpDownCounter, type Histogram, type Counter } from '@opentelemetry/api';
import type {
  ObservedRefusal,
  ObservedServer,
  ObservedStream,
  ObservedStreamEnd,
  StartedSession,
  StoreCommand,
  UnreadableMessage,
} from '@sigil-mcp/core';
import { ATTRIBUTES, BOUNDS, METRICS, OWN, OWN_METRICS, STORE_BOUNDS } from '../conventions';
import type { RequestAttributes } from '../spans/request-attributes';

/** Milliseconds in a second: the conventions measure in seconds. */
const SECOND = 1000;
/** The limit of a refusal that has another reason. */
const NO_LIMIT = 'none';

/** Values with their attributes. */
type Observed = readonly (readonly [number, Readonly<Record<string, string>>])[];

/** Counts and measures. */
export class ServerMetrics {
  readonly #requests: Histogram;
  readonly #questions: Histogram;
  readonly #sessionTimes: Histogram;
  readonly #running: UpDownCounter;
  readonly #sessions: UpDownCounter;
  readonly #streams: UpDownCounter;
  readonly #refusals: Counter;
  readonly #stores: Histogram;
  readonly #servers = new Set<ObservedServer>();

  constructor(meter: Meter) {
    const seconds = (name: string, description: string, bounds = BOUNDS): Histogram =>
      meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: [...bounds] } });
    const count = (name: string, description: string, unit: string): UpDownCounter =>
      meter.createUpDownCounter(name, { description, unit, valueType: ValueType.INT });
    this.#requests = seconds(METRICS.requests, 'The time of requests, from their reading to their answer');
    this.#questions = seconds(METRICS.questions, 'The time of questions to clients');
    this.#sessionTimes = seconds(METRICS.sessions, 'The time of sessions and connections');
    this.#running = count(OWN_METRICS.running, 'Requests that are being answered', '{request}');
    this.#sessions = count(OWN_METRICS.sessions, 'Open sessions and connections', '{session}');
    this.#streams = count(OWN_METRICS.streams, 'Open event streams', '{stream}');
    this.#refusals = meter.createCounter(OWN_METRICS.refusals, {
      description: 'What was refused before it was a request',
      unit: '{message}',
    });
    this.#stores = seconds(OWN_METRICS.stores, 'The time of commands of the stores', STORE_BOUNDS);
    const bytes = (name: string, description: string, read: (server: ObservedServer) => Observed): void =>
      meter.createObservableGauge(name, { description, unit: 'By', valueType: ValueType.INT }).addCallback((result) => {
        for (const server of this.#servers)
          for (const [value, attributes] of read(server))
            result.observe(value, { [OWN.server]: server.name, ...attributes });
      });
    bytes(OWN_METRICS.held, 'Memory that clients make the server hold', ({ held }) =>
      Object.entries(held.kinds).map(([kind, value]) => [value, { [OWN.heldKind]: kind }]),
    );
    bytes(OWN_METRICS.heldLimit, 'The limit of that memory', ({ held }) => [[held.limit, {}]]);
  }

  /** A server started. */
  serverStarted(server: ObservedServer): void {
    this.#servers.add(server);
  }

  /** It was closed. */
  serverStopped(server: ObservedServer): void {
    this.#servers.delete(server);
  }

  /** A request began. */
  started(): void {
    this.#running.add(1);
  }

  /** It was answered, or needs no answer. @param duration in milliseconds */
  ended(attributes: RequestAttributes, duration: number): void {
    this.#running.add(-1);
    this.#requests.record(duration / SECOND, attributes.values);
  }

  /** A question has ended. @param duration in milliseconds */
  asked(method: string, duration: number): void {
    this.#questions.record(duration / SECOND, { [ATTRIBUTES.method]: method });
  }

  refused({ code, limit = NO_LIMIT }: Pick<ObservedRefusal & UnreadableMessage, 'code' | 'limit'>): void {
    this.#refusals.add(1, { [ATTRIBUTES.statusCode]: `${code}`, [OWN.limit]: limit });
  }

  /** Returns what is called at its end, with its milliseconds. */
  session({ revision }: StartedSession): (duration: number) => void {
    const attributes = { [ATTRIBUTES.protocolVersion]: revision };
    this.#sessions.add(1, attributes);
    return (duration) => {
      this.#sessions.add(-1, attributes);
      this.#sessionTimes.record(duration / SECOND, attributes);
    };
  }

  /** Returns what is called at its end. */
  stream({ kind }: ObservedStream): (end: ObservedStreamEnd) => void {
    const attributes = { [OWN.streamKind]: kind };
    this.#streams.add(1, attributes);
    return () => this.#streams.add(-1, attributes);
  }

  stored({ store, command, duration, error }: StoreCommand): void {
    const failed = error === undefined ? {} : { [ATTRIBUTES.errorType]: 'store_away' };
    this.#stores.record(duration / SECOND, { [OWN.store]: store, [OWN.command]: command, ...failed });
  }
}
