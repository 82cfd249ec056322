/** Counts the events of all sessions of an endpoint: if there are too many, the oldest are dropped. */
import type { KnownEndpointLimits } from '../options/endpoint-limits';
import { Queue, type Place } from './queue';

/** An event in a log. */
export interface StoredEvent {
  readonly data: string;
  /** Removes it from its log, which removes it from the store. */
  drop(): void;
}

/** The limits of stored events. */
export type EventLimits = Pick<KnownEndpointLimits, 'streamEvents' | 'sessionEvents' | 'events'>;

/** Shared by the logs of all sessions. */
export class EventStore {
  /** The oldest first. */
  readonly #events = new Queue<StoredEvent>();
  #characters = 0;

  constructor(readonly limits: EventLimits) {}

  /** The characters of all stored events. */
  get characters(): number {
    return this.#characters;
  }

  /** Counts an event, and drops the oldest events if there are too many. The event itself stays. */
  add(place: Place<StoredEvent>): void {
    this.#events.add(place);
    this.#characters += place.value.data.length;
    while (this.#characters > this.limits.events && this.#events.size > 1) this.#events.first?.drop();
  }

  /** Stops counting an event. */
  remove(place: Place<StoredEvent>): void {
    if (this.#events.remove(place)) this.#characters -= place.value.data.length;
  }
}
