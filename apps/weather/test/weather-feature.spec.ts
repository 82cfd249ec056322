import './matchers';
import './quiet';
// #region testing
import { connect, eachRevision } from '@sigil-mcp/testing';
import { server } from '../src/server';

it('compares the climate of cities', async () => {
  const client = await connect(server, { revision: '2025-11-25' });
  const result = await client.callTool('compareCities', { cities: ['Oslo', 'Cairo'], month: 'July' });
  expect(result).toHaveStructured({ warmest: 'Cairo', driest: 'Cairo' });
  await client.close();
});

eachRevision('tells a model which city it may have meant', async ({ connect }) => {
  const client = await connect(server);
  expect(await client.callTool('forecast', { city: 'Olso' })).toBeToolError('Did you mean Oslo?');
});
// #endregion testing

const call = async (name: string, args: Parameters<Awaited<ReturnType<typeof connect>>['callTool']>[1]) => {
  const client = await connect(server);
  try {
    return await client.callTool(name, args);
  } finally {
    await client.close();
  }
};

describe('the tools of the weather server', () => {
  it('find a city without its accents, in any case', async () => {
    const result = await call('forecast', { city: '  bogota' });
    expect(result).toMatchObject({ structuredContent: { city: 'Bogotá', days: [{}, {}, {}] } });
  });

  it('begin a forecast today if no day is given', async () => {
    const before = new Date().toISOString().slice(0, 10);
    const { structuredContent } = await call('forecast', { city: 'Oslo', days: 1 });
    const [{ date }] = (structuredContent as { days: [{ date: string }] }).days;
    expect([before, new Date().toISOString().slice(0, 10)]).toContain(date);
  });

  it('count days across the end of a month and a year', async () => {
    const { structuredContent } = await call('forecast', { city: 'Oslo', days: 3, from: '2027-12-30' });
    const { days } = structuredContent as { days: { date: string }[] };
    expect(days.map(({ date }) => date)).toEqual(['2027-12-30', '2027-12-31', '2028-01-01']);
  });

  it.each(['2026-02-30', '2026-13-01', '0000-00-00'])('refuse %s, which is in no calendar', async (from) => {
    expect(await call('forecast', { city: 'Oslo', from })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(`There is no day ${from}`) }],
    });
  });

  it('suggest near names for a wrong one, and all names if none is near', async () => {
    const near = await call('bestTimeToVisit', { city: 'Singapur' });
    expect(near).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Did you mean Singapore?') }],
    });
    const far = await call('bestTimeToVisit', { city: 'Xyzzy' });
    expect(far).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Known cities: Athens') }] });
  });

  it('compare the whole year when no month is given', async () => {
    expect(await call('compareCities', { cities: ['Lima', 'Singapore'] })).toMatchObject({
      structuredContent: { period: 'the whole year', warmest: 'Singapore', driest: 'Lima' },
    });
  });

  it('rank months by taste', async () => {
    const best = async (taste: string) => {
      const { structuredContent } = await call('bestTimeToVisit', { city: 'New York', taste });
      return (structuredContent as { months: { month: string }[] }).months.map(({ month }) => month);
    };
    expect(await best('hot')).toEqual(['August', 'July', 'June']);
    expect((await best('mild'))[0]).toBe('May');
    expect((await best('cold'))[0]).toBe('January');
  });
});
