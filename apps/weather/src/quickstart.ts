// The smallest useful server; the example of the README.
// #region quickstart
import '@sigil-mcp/core/stdio/guard';
import 'reflect-metadata';
import { createServer, Describe, Feature, Tool } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { IsNumber, Max, Min } from 'class-validator';

class Outdoors {
  @Describe('Air temperature, °C') @IsNumber() @Min(-60) @Max(10) temperature!: number;
  @Describe('Wind speed, km/h') @IsNumber() @Min(5) @Max(200) wind: number = 20; // the default, also in the schema
}
class WindChill {
  @Describe('What it feels like, °C') @IsNumber() feelsLike!: number;
}

@Feature()
class WindFeature {
  @Tool('How cold the wind makes the air feel on bare skin', { output: WindChill, readOnly: true })
  windChill({ temperature: t, wind }: Outdoors): WindChill {
    const v = wind ** 0.16;
    return { feelsLike: Math.round(13.12 + 0.6215 * t - 11.37 * v + 0.3965 * t * v) };
  }
}

const server = createServer({ name: 'wind', version: '1.0.0', features: [WindFeature] });
void server.listen(new StdioTransport());
// #endregion quickstart
