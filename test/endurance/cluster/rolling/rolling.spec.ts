/** A rolling restart under load loses no call and runs none twice, whichever proxy is in front. */
import { describeWith, isSupplied } from '../../../support/supplies/supply';
import { roll } from './roll';
import { WAY_TITLES, WAYS } from './strict-client';

jest.setTimeout(120_000);

/** As many as come while three processes are restarted, or more. */
const CALLS = 300;

describeWith('redis-server', 'three processes that are restarted one after another', () => {
  const behind = WAYS.map((way) => [WAY_TITLES[way], way] as const).filter(
    ([, way]) => way !== 'nginx' || isSupplied('nginx'),
  );

  it.each(behind)('lose no call of raw and official clients behind %s', async (_title, way) => {
    const { failures, answered, byClient, restarts } = await roll({ way, calls: CALLS });
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThanOrEqual(CALLS);
    expect(byClient.size).toBe(5);
    expect(restarts).toBeGreaterThanOrEqual(3);
  });
});
