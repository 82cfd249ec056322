/** What the environment of the container says. */
import { plainToInstance } from 'class-transformer';
import { IsIn, IsInt, IsString, IsUrl, Max, Min, validateSync } from 'class-validator';

export class Settings {
  /** The `server_type` of each result. */
  @IsString() SERVER_TYPE: string = 'sigil';

  @IsUrl({ require_tld: false }) API_SERVICE_URL: string = 'http://mcp-api-service:8100';

  @IsUrl({ require_tld: false, protocols: ['redis', 'rediss'] }) REDIS_URL: string = 'redis://mcp-redis:6379';

  /** How the API is called: through a pool of undici, or with Node's own `fetch`. */
  @IsIn(['pool', 'fetch']) API_CLIENT: 'pool' | 'fetch' = 'pool';

  /** Whether the Redis commands of one turn of the event loop are sent together. */
  @IsIn(['on', 'off']) REDIS_PIPELINING: 'on' | 'off' = 'on';

  /** Whether clients get a session. Sessions are in the memory of a process, so several processes have none. */
  @IsIn(['on', 'off']) SESSIONS: 'on' | 'off' = 'on';

  /** Number of processes. */
  @IsInt() @Min(1) @Max(64) WEB_CONCURRENCY: number = 1;

  static read(environment: NodeJS.ProcessEnv): Settings {
    const settings = plainToInstance(Settings, environment, { enableImplicitConversion: true });
    const problems = validateSync(settings).flatMap(({ constraints = {} }) => Object.values(constraints));
    if (problems.length > 0) throw new Error(`The environment is not in order: ${problems.join('; ')}.`);
    return settings;
  }
}
