/** The server under measurement as one instance: `REDIS_URL` and `CLIENT` (`node-redis` or `ioredis`) say what it shares, if anything. */
import 'reflect-metadata';
import { createClient } from '@redis/client';
import { Describe, Feature, McpContext, Tool, createServer } from '@sigil-mcp/core';
import type { Stores } from '@sigil-mcp/core/stores';
import { HttpTransport } from '@sigil-mcp/fastify';
import { redis } from '@sigil-mcp/redis';
import { IsInt, IsNumber, IsString, Length, Max, Min } from 'class-validator';
import { Redis } from 'ioredis';

class ForecastQuery {
  @Describe('City name')
  @IsString()
  @Length(2, 60)
  city!: string;

  @Describe('How many days ahead')
  @IsInt()
  @Min(1)
  @Max(14)
  days: number = 3;
}

class Forecast {
  @IsString()
  summary!: string;

  @IsNumber({}, { each: true })
  highs!: number[];
}

class Answer {
  @IsString()
  word!: string;
}

@Feature()
class Weather {
  @Tool('Weather forecast for a city', { output: Forecast })
  forecast({ city, days }: ForecastQuery): Forecast {
    return { summary: `mild in ${city}`, highs: Array.from({ length: days }, (_, day) => 11 + day) };
  }

  @Tool('Says how far it is, five times')
  async steps(context: McpContext): Promise<string> {
    for (let step = 1; step <= 5; step++) await context.progress(step, 5, `step ${step}`);
    return 'done';
  }

  @Tool('Asks for a word, again and again')
  async ask(context: McpContext): Promise<string> {
    for (let round = 0; round < 1000; round++) await context.elicit(Answer, 'Word?', { key: String(round) });
    return 'enough';
  }
}

type Report = (port: number) => void;

serve().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});

async function serve(): Promise<void> {
  const { REDIS_URL: url, CLIENT: library } = process.env;
  const stores = url === undefined ? undefined : await openStores(url, library);
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', limits: { sessions: 100_000 } });
  await createServer({
    name: 'bench',
    version: '1.0.0',
    features: [Weather],
    logger: false,
    requestState: { secrets: ['s'.repeat(32)] },
    ...(stores && { stores }),
  }).listen(transport);
  // Compiled for CommonJS an import would become a require.
  // oxlint-disable-next-line typescript/no-implied-eval -- The way to an import that stays one.
  const load = new Function('path', 'return import(path)') as (path: string) => Promise<{ reportMemory: Report }>;
  const { reportMemory } = await load(process.argv[2] ?? '');
  reportMemory(Number(new URL(transport.url ?? '').port));
}

async function openStores(url: string, library: string | undefined): Promise<Stores> {
  if (library === 'ioredis')
    return redis({ client: new Redis(url, { enableAutoPipelining: true, autoResendUnfulfilledCommands: false }) });
  const client = createClient({ url });
  client.on('error', () => undefined);
  await client.connect();
  return redis({ client });
}
