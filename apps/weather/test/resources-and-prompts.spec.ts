/** The resources that an application attaches, and the prompts that a user picks. */
import { connect, eachRevision } from '@sigil-mcp/testing';
import { server } from '../src/server';
import './quiet';

describe('the resources and prompts of the weather server', () => {
  eachRevision('name in the list of cities a URI under which each can be read', async ({ connect: meet }) => {
    const client = await meet(server);
    const { contents } = await client.readResource('weather://cities');
    const cities = JSON.parse(contents[0]?.text ?? '') as { city: string; uri: string }[];
    for (const { city, uri } of cities.filter(({ city: name }) => /\W/.test(name))) {
      const climate = await client.readResource(uri);
      expect(JSON.parse(climate.contents[0]?.text ?? '')).toMatchObject({ city });
    }
  });

  it('say in an error which city was meant', async () => {
    const client = await connect(server);
    await expect(client.readResource('weather://Tokio/climate')).rejects.toThrow('Did you mean Tokyo?');
    await expect(client.getPrompt('explainClimate', { from: 'Oslo', to: 'Tokio' })).rejects.toThrow('Tokyo');
    await client.close();
  });

  it('read the numbers of prompt arguments from their text, and take defaults', async () => {
    const client = await connect(server);
    const planned = async (args: Record<string, string>) => {
      const { messages } = await client.getPrompt('planTrip', { city: 'Lima', month: 'June', ...args });
      return messages[1]?.content.text;
    };
    expect(await planned({})).toContain('Plan 7 days in Lima in June');
    expect(await planned({ days: '30' })).toContain('Plan 30 days');
    await expect(planned({ days: '61' })).rejects.toMatchObject({ code: -32602 });
    await expect(planned({ days: 'many' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it('mention a concern only if there is one', async () => {
    const client = await connect(server);
    const cities = { from: 'Oslo', to: 'Dubai' };
    expect(JSON.stringify(await client.getPrompt('explainClimate', cities))).not.toContain('Pay attention');
    const concerned = await client.getPrompt('explainClimate', { ...cities, concern: 'my asthma' });
    expect(JSON.stringify(concerned)).toContain('Pay attention to this: my asthma.');
    await client.close();
  });
});
