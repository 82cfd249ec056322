/** The code on the pages about clients whose types come from the server. */
import { createClient } from '@sigil-mcp/client';
import { createServer, Feature, McpContext, Prompt, Resource, Tool, type ClientOf } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { createClient as createTestClient } from '@sigil-mcp/testing';
import { IsBoolean, IsString } from 'class-validator';

class ConfirmForm {
  @IsBoolean() sure!: boolean;
}

class Place {
  @IsString() city!: string;
}

// #region asks
@Feature()
class AlertFeature {
  @Tool('Warns everyone in a city', { destructive: true, asks: [ConfirmForm] })
  async alert({ city }: Place, context: McpContext<ConfirmForm>): Promise<{ sent: boolean }> {
    const answer = await context.elicit(ConfirmForm, `Warn everyone in ${city}?`);
    return { sent: answer.action === 'accept' && answer.content.sure };
  }
}
// #endregion asks

@Feature()
class WeatherFeature {
  @Tool('Forecast for a city')
  forecast({ city }: Place): { city: string; degrees: number } {
    return { city, degrees: 4 };
  }

  @Prompt('Plans a trip')
  planTrip({ city }: Place): string {
    return `Plan a trip to ${city}.`;
  }

  @Resource('weather://{city}/climate')
  climate({ city }: Place): { city: string; wet: boolean } {
    return { city, wet: true };
  }
}

// #region api
export const server = createServer({ name: 'weather', version: '1.0.0', features: [WeatherFeature] });
export type Api = ClientOf<typeof server>;
// #endregion api

const alerts = createServer({ name: 'alerts', version: '1.0.0', features: [AlertFeature] });
type AlertApi = ClientOf<typeof alerts>;

const transport = new HttpTransport({ port: 0 });
const alertTransport = new HttpTransport({ port: 0 });
beforeAll(async () => {
  await server.listen(transport);
  await alerts.listen(alertTransport);
});
afterAll(async () => {
  await server.close();
  await alerts.close();
});

it('tools, prompts and resources are functions', async () => {
  const url = String(transport.url);
  const shown: unknown[] = [];
  const show = (value: unknown) => shown.push(value);
  // #region calls
  const client = await createClient<Api>({ url });
  const answer = await client.tools.forecast({ city: 'Oslo' });
  if (answer.isError) show(answer.text);
  else show(answer.data.degrees);
  const { messages } = await client.prompts.planTrip({ city: 'Oslo' });
  const { data } = await client.resources.climate({ city: 'Oslo' });
  await client.close();
  // #endregion calls
  expect([shown, messages.length, data]).toEqual([[4], 1, { city: 'Oslo', wet: true }]);
});

it('questions demand handlers', async () => {
  const url = String(alertTransport.url);
  // #region handlers
  const client = await createClient<AlertApi>(
    { url },
    { onElicit: ({ message }) => ({ action: 'accept', content: { sure: message.includes('Oslo') } }) },
  );
  const { data } = await client.tools.alert({ city: 'Oslo' });
  // #endregion handlers
  expect(data).toEqual({ sent: true });
  await client.close();
});

it('the test kit has them, too', async () => {
  // #region test
  const client = await createTestClient(server);
  const { data } = await client.tools.forecast({ city: 'Oslo' });
  expect(data?.degrees).toBe(4);
  // #endregion test
  await client.close();
});
