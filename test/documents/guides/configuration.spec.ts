/** What `docs/how-to/configuration.md` says and shows. */
import { createServer, Feature, Inject, Tool } from '@sigil-mcp/core';
import { eachRevision, matchers } from '@sigil-mcp/testing';
import { plainToInstance } from 'class-transformer';
import { IsInt, IsOptional, IsUrl, Max, Min, validateSync } from 'class-validator';

expect.extend(matchers);

// #region settings
/** What the operator sets. */
export class Settings {
  @IsUrl({ require_tld: false }) STATION_URL!: string;
  @IsOptional() @IsInt() @Min(1) @Max(60) PATIENCE: number = 10;

  static read(environment: NodeJS.ProcessEnv): Settings {
    const settings = plainToInstance(Settings, environment, { enableImplicitConversion: true });
    const problems = validateSync(settings).flatMap(({ constraints = {} }) => Object.values(constraints));
    if (problems.length > 0) throw new Error(`The environment is not in order: ${problems.join('; ')}.`);
    return settings;
  }
}
// #endregion settings

// #region use
@Feature()
class Stations {
  constructor(
    private readonly settings: Settings,
    @Inject('BUILD') private readonly build: string,
  ) {}

  @Tool('Where the data comes from')
  source(): string {
    return `${this.settings.STATION_URL}, asked for ${this.settings.PATIENCE} s (build ${this.build})`;
  }
}

const server = createServer({
  name: 'stations',
  version: '1.0.0',
  features: [Stations],
  providers: [
    { provide: Settings, useFactory: () => Settings.read(process.env) },
    { provide: 'BUILD', useValue: process.env['BUILD'] ?? 'local' },
  ],
});
// #endregion use

eachRevision('settings are injected, and replaced in tests', async ({ connect }) => {
  const settings = Settings.read({ STATION_URL: 'http://station.example', PATIENCE: '5' });
  const client = await connect(server, { override: [{ provide: Settings, useValue: settings }] });
  expect(await client.callTool('source')).toHaveText('http://station.example, asked for 5 s (build local)');
});

it('a server whose settings are not in order says so, and does not start', async () => {
  expect(() => Settings.read({ PATIENCE: '99' })).toThrow(
    /STATION_URL must be a URL address; PATIENCE must not be greater/,
  );
});
