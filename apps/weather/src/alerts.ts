// Asking and changing: the examples of docs/asking.md and docs/changes.md. Not part of the weather server.
import { randomUUID } from 'node:crypto';
import {
  AskFailure,
  Describe,
  Feature,
  Injectable,
  McpContext,
  Prompt,
  ServerRegistry,
  Title,
  Tool,
  ToolFailure,
  ValueTitles,
  createServer,
  isSuspension,
  type Server,
} from '@sigil-mcp/core';
import { ArrayMinSize, IsArray, IsBoolean, IsIn, IsInt, IsString, Length, Max, Min } from 'class-validator';

/** The service that sends alerts. */
@Injectable()
export class Alerts {
  readonly sent: { city: string; id: string }[] = [];

  /** An id that is sent twice is one alert. */
  async send(city: string, id: string): Promise<string> {
    if (!this.sent.some((alert) => alert.id === id)) this.sent.push({ city, id });
    return `Everyone in ${city} is warned.`;
  }

  async quote(city: string): Promise<{ number: string; people: number }> {
    return { number: randomUUID(), people: city.length * 1000 };
  }
}

/** A city. */
export class Place {
  @IsString()
  @Length(2, 60)
  city!: string;
}

// #region form
export class AlertForm {
  @Title('Really send it?')
  @IsBoolean()
  ok: boolean = false; // the default, also in the form

  @Title('How urgent')
  @ValueTitles({ watch: 'Keep an eye on it', warning: 'Prepare', danger: 'Leave now' })
  @IsIn(['watch', 'warning', 'danger'])
  level!: string;

  @Describe('Through which channels')
  @IsArray()
  @ArrayMinSize(1)
  @IsIn(['sms', 'radio', 'siren'], { each: true })
  channels!: string[];

  @IsInt()
  @Min(1)
  @Max(72)
  hours: number = 24;
}
// #endregion form

/** Asks before it acts. */
@Feature()
export class AlertsFeature {
  constructor(private readonly alerts: Alerts) {}

  // #region elicit
  @Tool('Warn everyone in a city', { destructive: true })
  async alert({ city }: Place, context: McpContext): Promise<string> {
    const answer = await context.elicit(AlertForm, `Alert everyone in ${city}?`);
    if (answer.action !== 'accept' || !answer.content.ok) throw new ToolFailure('Not confirmed.');
    return this.alerts.send(city, context.onceId('alert'));
  }
  // #endregion elicit

  // #region once
  @Tool('Warn a region for money', { destructive: true })
  async buyAlert({ city }: Place, context: McpContext): Promise<string> {
    const quote = await context.once('quote', () => this.alerts.quote(city));
    const [answer, words] = await Promise.all([
      context.elicit(AlertForm, `Warn ${quote.people} people in ${city}?`, { key: 'confirm' }),
      context.sample(`Write one sentence that warns ${city} of a storm.`, { maxTokens: 60, key: 'words' }),
    ]);
    if (answer.action !== 'accept' || !answer.content.ok) throw new ToolFailure('Not confirmed.');
    return `${await this.alerts.send(city, context.onceId('alert'))} ${words.text}`;
  }
  // #endregion once

  // #region careful
  @Tool('Write a warning, by the model if there is one')
  async draft({ city }: Place, context: McpContext): Promise<string> {
    try {
      const { text } = await context.sample(`Warn ${city} of a storm.`, { timeout: 20_000 });
      return text;
    } catch (error) {
      if (isSuspension(error)) throw error; // the handler runs again when the answer is there
      if (error instanceof AskFailure) return `A storm is near ${city}.`; // no answer, or the user said no
      throw error;
    }
  }
  // #endregion careful

  @Prompt('Plan for a storm')
  async plan({ city }: Place, context: McpContext): Promise<string> {
    const roots = await context.roots();
    return `Plan for a storm in ${city}; the notes are in ${roots.map(({ uri }) => uri).join(', ')}.`;
  }
}

// #region registry
/** Adds and removes tools while the server runs. */
@Feature()
export class ToolboxFeature {
  constructor(private readonly registry: ServerRegistry) {}

  @Tool('Learn how to greet in a language')
  learn({ city }: Place): string {
    this.registry.add({
      kind: 'tool',
      name: `greet-${city.toLowerCase()}`,
      description: `Greet somebody as they do in ${city}`,
      input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      handler: (input) => `Hello from ${city}, ${JSON.stringify(input)}!`,
    });
    return 'Learned.';
  }
}

export const alertsServer: Server = createServer({
  name: 'alerts',
  version: '1.0.0',
  features: [AlertsFeature, ToolboxFeature],
  providers: [Alerts],
  logger: 'error',
});
// #endregion registry
