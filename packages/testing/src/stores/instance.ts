/** Somebody who has joined a bus, and remembers what was heard. */
import type { BusListener, Change, MaybePromise, Stores } from '@sigil-mcp/core/stores';
import { fresh } from './suite';

/** What one instance has heard. */
export class Instance implements BusListener {
  readonly id = fresh('instance');
  readonly messages: string[] = [];
  readonly changes: string[] = [];
  readonly placed: Change[] = [];
  misses = 0;
  /** Is told of each change, before it is remembered. */
  heard: (text: string) => void = () => undefined;
  leave: () => MaybePromise<void> = () => undefined;

  static async join({ bus }: Stores): Promise<Instance> {
    const instance = new Instance();
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
