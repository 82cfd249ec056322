/** The servers whose costs grow, or do not: with what they have, with what is open, with their instances, and with what travels. */
import 'reflect-metadata';
import { createClient } from '@redis/client';
import { apps, view } from '@sigil-mcp/apps';
import { createServer, resource, tool, type Call, type Server, type ToolData } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { redis } from '@sigil-mcp/redis';
import { tasks } from '@sigil-mcp/tasks';
import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsNumber, IsString, Length, Max, Min, ValidateNested } from 'class-validator';

const IDENTITY = { name: 'bench', version: '1.0.0', logger: false } as const;

class Forecast {
  @IsString() summary!: string;
  @IsNumber({}, { each: true }) highs!: number[];
}

/** A tool with a DTO of its own. */
function forecastTool(name: string, interceptors: readonly (new () => Passing)[] = []): ToolData {
  class Query {
    @IsString() @Length(2, 60) city!: string;
    @IsInt() @Min(1) @Max(14) days: number = 3;
  }
  return tool(
    name,
    { description: `Forecast by ${name}`, input: Query, output: Forecast, interceptors },
    ({ city, days }) => ({ summary: `mild in ${city}`, highs: Array.from({ length: days }, (_, day) => 11 + day) }),
  );
}

/** `tool0`, `tool1` and so on. */
export function toolServer(count: number): Server {
  const features = Array.from({ length: count }, (_, index) => forecastTool(`tool${index}`));
  return createServer({ ...IDENTITY, features });
}

/** Resources `item://0`, `item://1` and so on, that clients may subscribe to, and `tool0`. */
export function resourceServer(): Server {
  const item = resource('item://{number}', { name: 'Item' }, () => 'An item');
  return createServer({ ...IDENTITY, features: [item, forecastTool('tool0')] });
}

class Approval {
  @IsBoolean() ok!: boolean;
}

/** `approve` becomes a task that waits for an answer, any number of them; `tool0` does not. */
export function taskServer(): Server {
  const approve = tool('approve', { description: 'Waits', task: 'optional', timeout: Infinity }, async (_, context) => {
    const { action } = await context.elicit(Approval, 'Really?');
    return action;
  });
  const limits = { tasks: Infinity, tasksPerClient: Infinity, kept: Infinity, keptPerClient: Infinity };
  const requestState = { secrets: ['a secret of more than thirty-two characters'] };
  const extensions = [tasks({ waiting: Infinity, limits })];
  return createServer({ ...IDENTITY, features: [approve, forecastTool('tool0')], requestState, extensions });
}

/** `tool0`, `tool1` and so on, with the views `ui://bench/0`, `ui://bench/1` and so on. */
export function viewServer(count: number): Server {
  const features = Array.from({ length: count }, (_, index) => {
    const name = `view${index}`;
    const shown = view(`ui://bench/${index}`, { name }, () => `<!doctype html><title>${name}</title>`);
    return [shown, tool(`tool${index}`, { description: 'Shows a view', view: name }, () => 'shown')];
  });
  return createServer({ ...IDENTITY, features: features.flat(), extensions: [apps()] });
}

/**
 * Serves over HTTP, as one of the instances that share a Redis. `change` changes the resource `item://0`.
 * @param namespace of the instances that know each other
 * @returns the port
 */
export async function serveInstance(url: string, namespace: string): Promise<number> {
  const client = await createClient({ url }).connect();
  const change = tool('change', { description: 'Changes the item' }, () => {
    server.notifyResourceChanged('item://0');
    return 'changed';
  });
  const item = resource('item://{number}', { name: 'Item' }, () => 'An item');
  const server = createServer({
    ...IDENTITY,
    features: [item, change, forecastTool('tool0')],
    stores: redis({ client, namespace }),
    requestState: { secrets: ['a secret of more than thirty-two characters'] },
  });
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false });
  await server.listen(transport);
  return Number(new URL(transport.url ?? '').port);
}

/** An interceptor that waits for what is inside, and does nothing by itself. */
interface Passing {
  intercept(call: Call, next: () => Promise<unknown>): Promise<unknown>;
}

function passingInterceptors(count: number): (new () => Passing)[] {
  return Array.from(
    { length: count },
    () =>
      class {
        async intercept(_call: Call, next: () => Promise<unknown>): Promise<unknown> {
          const result = await next();
          return result;
        }
      },
  );
}

/** `tool0` behind so many interceptors, each of a class of its own. */
export function interceptorServer(around: 'server' | 'tool', count: number): Server {
  const interceptors = passingInterceptors(count);
  return around === 'server'
    ? createServer({ ...IDENTITY, features: [forecastTool('tool0')], interceptors })
    : createServer({ ...IDENTITY, features: [forecastTool('tool0', interceptors)] });
}

class Item {
  @IsString() name!: string;
  @IsInt() amount!: number;
  @IsNumber() price!: number;
}

class Text {
  @IsString() text!: string;
}

class List {
  @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
}

class Size {
  @IsInt() size!: number;
}

/** An item of a list, about fifty bytes of JSON. */
export function itemOf(index: number): Item {
  return { name: `item ${String(index).padStart(8, '0')}`, amount: index % 10, price: 12.5 };
}

/** Arguments or results of about so many bytes: one string, or a list of items. */
export const CONTENTS = {
  text: (size: number): Text => ({ text: 'a'.repeat(Math.max(1, size - 11)) }),
  list: (size: number): List => ({
    items: Array.from({ length: Math.max(1, Math.round(size / 51)) }, (_, at) => itemOf(at)),
  }),
} as const;

/** Tools that take much, or give much; what is given is made before it is asked for. */
export function sizeServer(sizes: readonly number[]): Server {
  const texts = new Map(sizes.map((size) => [size, CONTENTS.text(size)]));
  const lists = new Map(sizes.map((size) => [size, CONTENTS.list(size)]));
  const find = <T>(map: ReadonlyMap<number, T>, size: number): T => {
    const found = map.get(size);
    if (!found) throw new Error(`Nothing was made of ${size} bytes.`);
    return found;
  };
  const features = [
    tool('take-text', { description: 'Takes a text', input: Text }, ({ text }) => String(text.length)),
    tool('take-list', { description: 'Takes a list', input: List }, ({ items }) => String(items.length)),
    tool('give-text', { description: 'Gives a text', input: Size, output: Text }, ({ size }) => find(texts, size)),
    tool('give-list', { description: 'Gives a list', input: Size, output: List }, ({ size }) => find(lists, size)),
    forecastTool('tool0'),
  ];
  // All requests of the load are those of one client.
  return createServer({ ...IDENTITY, features, limits: { heldPerClient: 2 ** 30 } });
}

/** Serves over HTTP, any number of sessions. @returns the port */
export async function serveSizes(sizes: readonly number[]): Promise<number> {
  const transport = new HttpTransport({
    port: 0,
    host: '127.0.0.1',
    limits: { sessions: 20_000, sessionsPerClient: 20_000, unreadPerClient: 2 ** 28, unread: 2 ** 29 },
  });
  await sizeServer(sizes).listen(transport);
  return Number(new URL(transport.url ?? '').port);
}
