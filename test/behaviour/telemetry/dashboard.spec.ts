/** The dashboard for Grafana, each of its queries run by a Prometheus that scrapes a busy server. */
import {
  DASHBOARD,
  filledIn,
  labelsOf,
  readDashboard,
  type Panel,
  type PanelQuery,
} from '../../support/dashboard/dashboard';
import { BusyClients } from '../../support/dashboard/busy-clients';
import { monitoredServer, type MonitoredServer } from '../../support/dashboard/monitored-server';
import { checkMetrics, Prometheus, type Sample } from '../../support/supplies/prometheus';
import { describeWith } from '../../support/supplies/supply';
import { until } from '../../support/until';

jest.setTimeout(90_000);

const WINDOW = '10s';
/** Names of metrics as Prometheus has them that did not come from the exporter, but over OTLP: with their units. */
const WITH_UNITS = [
  ['(.+_duration)(_bucket|_count|_sum)', '${1}_seconds${2}'],
  ['(sigil_event_loop_delay)', '${1}_seconds'],
  ['(sigil_server_held|sigil_server_held_limit)', '${1}_bytes'],
] as const;

const dashboard = readDashboard();
const queries = dashboard.panels.flatMap(({ title, targets = [], fieldConfig }: Panel) =>
  targets.map((query) => ({ title, query, unit: fieldConfig?.defaults.unit ?? '' })),
);

/** What is wrong with the series of a query; undefined if Grafana shows something sensible. */
function faultOf(samples: readonly Sample[], query: PanelQuery, unit: string): string | undefined {
  const values = samples.map(({ value }) => value);
  if (values.length === 0) return 'no series';
  if (!values.some((value) => value > 0)) return `no value above 0: ${values.join(', ')}`;
  if (values.some((value) => value < 0)) return `a value below 0: ${values.join(', ')}`;
  if (unit === 'percentunit' && Math.max(...values) > 1) return `more than 100 %: ${values.join(', ')}`;
  const nameless = labelsOf(query).filter((label) => !samples.every(({ metric }) => metric[label]));
  return nameless.length > 0 ? `series without ${nameless.join(', ')}` : undefined;
}

it('shows each metric of the package in a panel', () => {
  const missing = ['sessions', 'streams', 'requests_running', 'refusals', 'held', 'held_limit'].filter(
    (name) => !queries.some(({ query }) => query.expr.includes(`sigil_server_${name}`)),
  );
  expect([DASHBOARD.endsWith('sigil.json'), missing]).toEqual([true, []]);
});

describeWith('prometheus', 'a Prometheus that scrapes a busy server', () => {
  let server: MonitoredServer;
  let clients: BusyClients;
  let prometheus: Prometheus;
  let load: Promise<void>;
  let isOver = false;

  beforeAll(async () => {
    server = await monitoredServer();
    clients = await BusyClients.open(server.url, () => ({ forecast: 1, report: 5, answer: () => Promise.resolve() }));
    const target = server.address;
    prometheus = await Prometheus.start(
      '1s',
      { name: 'exporter', target },
      { name: 'otlp', target, renames: WITH_UNITS },
    );
    load = (async () => {
      while (!isOver) await clients.round();
    })();
  });
  afterAll(async () => {
    isOver = true;
    await load;
    await clients.close();
    await prometheus.stop();
    await server.close();
  });

  it('finds no fault in the text of the metrics', async () => {
    await until(async () => (await server.scrape()).includes('mcp_server_session_duration_bucket'));
    expect(checkMetrics(await server.scrape())).toBe('');
  });

  it.each(queries)('has what the panel "$title" asks for: $query.expr', async ({ query, unit }) => {
    for (const job of ['exporter', 'otlp']) {
      let fault: string | undefined;
      const expr = filledIn(query.expr, { job, window: WINDOW });
      const isSensible = async (): Promise<boolean> => {
        fault = faultOf(await prometheus.query(expr), query, unit);
        return fault === undefined;
      };
      await until(isSensible).catch(() => undefined);
      expect([job, fault]).toEqual([job, undefined]);
    }
  });

  it('has the jobs and instances that users choose from', async () => {
    const [{ query = '' } = {}] = dashboard.templating.list.filter(({ name }) => name === 'job');
    const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [];
    await until(async () => {
      const found = await prometheus.query(`count by (${label}) (${metric})`);
      const jobs = found.map(({ metric: labels }) => labels[label]);
      return jobs.sort().join() === 'exporter,otlp';
    });
  });
});
