/** Changes and messages between instances: logs in Redis, of which pub/sub says that there is something to read. */
import { unawaited } from '@sigil-mcp/core/adapter';
import type { BusListener, InstanceBus } from '@sigil-mcp/core/stores';
import type { Commands } from './commands';
import { readEntries } from './entries';
import type { Keys } from './keys';
import { LogTail } from './log-tail';
import { Script } from './script';
import type { WakeUps } from './wake-ups';

/** Changes that are kept, about; who has missed more is told so. */
const CHANGES = 1000;
/** Milliseconds for which changes are kept after the last of them. */
const KEEP_CHANGES = 86_400_000;
/** Messages to one instance that it has not read, about; with more of them the oldest are lost. */
const MESSAGES = 10_000;

/** Each entry has the id of the one before it as its field, so that a reader sees what was lost. */
const WRITE = `
local newest = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
redis.call('XADD', log, 'MAXLEN', '~', ARGV[2], '*', newest and newest[1] or '0-0', ARGV[1])
redis.call('PEXPIRE', log, ARGV[3])
redis.call('PUBLISH', ARGV[4], '')
return 1`;
const ANNOUNCE = new Script(`local log = KEYS[1]${WRITE}`);
const SEND = new Script(`if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end\nlocal log = KEYS[2]${WRITE}`);

/** Instances that say again and again that they are alive. */
export class RedisBus implements InstanceBus {
  /** @param deadAfter milliseconds after which an instance that says nothing is taken for dead */
  constructor(
    private readonly commands: Commands,
    private readonly keys: Keys,
    private readonly wakeUps: WakeUps,
    private readonly deadAfter: number,
  ) {}

  async join(instance: string, listener: BusListener): Promise<() => Promise<void>> {
    const stopChanges = await this.#followChanges(listener);
    try {
      const stopMessages = await this.#followMessages(instance, listener);
      return async () => {
        stopChanges();
        await stopMessages();
      };
    } catch (error) {
      stopChanges();
      throw error;
    }
  }

  async announce(change: string): Promise<void> {
    const { log, channel } = this.keys.changes;
    await this.commands.evaluate(ANNOUNCE, [log], change, `${CHANGES}`, `${KEEP_CHANGES}`, channel);
  }

  async send(instance: string, message: string): Promise<boolean> {
    const { alive, log, channel } = this.keys.instance(instance);
    const limits = [`${MESSAGES}`, `${this.deadAfter * 2}`];
    return Number(await this.commands.evaluate(SEND, [alive, log], message, ...limits, channel)) === 1;
  }

  async isAlive(instance: string): Promise<boolean> {
    const { alive } = this.keys.instance(instance);
    return Number(await this.commands.run(alive, 'EXISTS', alive)) === 1;
  }

  async #followChanges(listener: BusListener): Promise<() => void> {
    const { log, channel } = this.keys.changes;
    const [newest] = readEntries(await this.commands.run(log, 'XREVRANGE', log, '+', '-', 'COUNT', '1'));
    const tail = new LogTail(this.commands, log, newest?.id ?? '0-0', {
      read: (change, isNext) => {
        if (!isNext) listener.missed();
        listener.change(change);
      },
    });
    return this.#follow(tail, channel);
  }

  async #followMessages(instance: string, listener: BusListener): Promise<() => Promise<void>> {
    const { alive, log, channel } = this.keys.instance(instance);
    const tail = new LogTail(this.commands, log, '0-0', {
      read: (message) => listener.message(message),
      caughtUp: (id) => unawaited(this.commands.run(log, 'XTRIM', log, 'MINID', id)),
    });
    const stop = await this.#follow(tail, channel);
    const sayAlive = (): Promise<unknown> => this.commands.run(alive, 'SET', alive, '1', 'PX', `${this.deadAfter}`);
    const pulse = setInterval(() => unawaited(sayAlive()), this.deadAfter / 3).unref();
    const leave = async (): Promise<void> => {
      clearInterval(pulse);
      stop();
      await this.commands.run(alive, 'DEL', alive, log);
    };
    try {
      await sayAlive();
      return leave;
    } catch (error) {
      unawaited(leave());
      throw error;
    }
  }

  /** What came between its position and the first wake is read, too. */
  async #follow(tail: LogTail, channel: string): Promise<() => void> {
    const stop = await this.wakeUps.watch(channel, () => tail.wake());
    tail.wake();
    return () => {
      tail.close();
      stop();
    };
  }
}
