/** One tool with input and output validation, as a user writes it. */
import '@sigil-mcp/core/stdio/guard';
import 'reflect-metadata';
import { Feature, Tool, createServer } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { IsInt, IsNumber, IsString, Length, Max, Min } from 'class-validator';

class ForecastQuery {
  @IsString() @Length(2, 60) city!: string;
  @IsInt() @Min(1) @Max(14) days: number = 3;
}

class Forecast {
  @IsString() summary!: string;
  @IsNumber({}, { each: true }) highs!: number[];
}

@Feature()
class Weather {
  @Tool('Weather forecast for a city', { output: Forecast })
  forecast({ city, days }: ForecastQuery): Forecast {
    return { summary: `mild in ${city}`, highs: Array.from({ length: days }, (_, day) => 11 + day) };
  }
}

void createServer({ name: 'bench', version: '1.0.0', features: [Weather] }).listen(new StdioTransport());
