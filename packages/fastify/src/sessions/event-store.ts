/** The events of all sessions of an endpoint, counted together: the oldest go where they become too many. */
import type { KnownEndpointLimits } from '../options/endpoint-limits';
import { Queue, type Place } from './queue';

/** An event that a log keeps. */
export interface StoredEvent {
  readonly data: string;
  /** Takes it out of its log, which takes it out of the store. */
  drop(): void;
}

/** How much may be kept. */
export type EventLimits = Pick<KnownEndpointLimits, 'streamEvents' | 'sessionEvents' | 'events'>;

/** Shared by the logs of all sessions. */
export class EventStore {
  /** The oldest first. */
  readonly #events = new Queue<StoredEvent>();
  #characters = 0;

  constructor(readonly limits: EventLimits) {}

  /** Characters of all events that are kept. */
  get characters(): number {
    return this.#characters;
  }

  /** Counts an event, and drops the oldest of all where there are too many. The event itself stays. */
  add(place: Place<StoredEvent>): void {
    this.#events.add(place);
    this.#characters += place.value.data.length;
    while (this.#characters > this.limits.events && this.#events.size > 1) this.#events.first?.drop();
  }

  /** Counts an event no more. */
  remove(place: Place<StoredEvent>): void {
    if (this.#events.remove(place)) this.#characters -= place.value.data.length;
  }
}
