/** The source of the Sigil server under measurement: the measured tool, and any number of others. */

/** @param {number} tools in all */
export function sigilSource(tools) {
  const others = Array.from(
    { length: tools - 2 },
    (_, index) => `
    @Tool('Forecast ${index}') tool${index}({ city }: ForecastQuery): string { return city + ${index}; }`,
  );
  return `
    import 'reflect-metadata';
    import { Describe, Feature, McpContext, Tool, createServer } from '@sigil-mcp/core';
    import { HttpTransport } from '@sigil-mcp/fastify';
    import { IsInt, IsNumber, IsString, Length, Max, Min } from 'class-validator';
    class ForecastQuery {
      @Describe('City name') @IsString() @Length(2, 60) city!: string;
      @Describe('How many days ahead') @IsInt() @Min(1) @Max(14) days: number = 3;
    }
    class Forecast {
      @IsString() summary!: string;
      @IsNumber({}, { each: true }) highs!: number[];
    }
    @Feature() class Weather {
      @Tool('Weather forecast for a city', { output: Forecast })
      forecast({ city, days }: ForecastQuery): Forecast {
        return { summary: 'mild in ' + city, highs: Array.from({ length: days }, (_, day) => 11 + day) };
      }
      @Tool('The same, with progress', { output: Forecast })
      async progressing({ city, days }: ForecastQuery, context: McpContext): Promise<Forecast> {
        await context.progress(1, 2);
        return this.forecast({ city, days });
      }
      ${others.join('')}
    }
    const transport = new HttpTransport({ port: 0, host: '127.0.0.1', sessions: { maximum: 100000 } });
    void createServer({ name: 'bench', version: '1.0.0', features: [Weather], logger: false, pageSize: 5000 })
      .listen(transport)
      .then(async () => {
        const { reportMemory } = await (new Function('path', 'return import(path)') as (path: string) => Promise<any>)(process.argv[2]);
        reportMemory(Number(new URL(transport.url ?? '').port));
      });`;
}
