/** A listener that has joined a bus, and records what it receives. */
import type { BusListener, Change, MaybePromise, Stores } from '@sigil-mcp/core/stores';
import { fresh } from './suite';

/** The messages and changes that one instance has received. */
export class ListeningInstance implements BusListener {
  readonly id = fresh('instance');
  readonly messages: string[] = [];
  readonly changes: string[] = [];
  readonly placed: Change[] = [];
  misses = 0;
  /** Called for each change, before it is recorded. */
  heard: (text: string) => void = () => undefined;
  leave: () => MaybePromise<void> = () => undefined;

  static async join({ bus }: Stores): Promise<ListeningInstance> {
    const instance = new ListeningInstance();
    instance.leave = await bus.join(instance.id, instance);
    return instance;
  }

  message(text: string): void {
    this.messages.push(text);
  }

  change(text: string, position: string): void {
    this.heard(text);
    this.changes.push(text);
    this.placed.push({ text, position });
  }

  missed(): void {
    this.misses++;
  }
}
