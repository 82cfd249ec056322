/**
 * `npm run dashboard`: runs a server with busy clients for a minute, asks a Prometheus the queries of the dashboard of packages/otel, and draws
 * their answers as docs/pictures/dashboard.svg. `npm run dashboard 30` takes half a minute.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BusyClients } from '../../support/dashboard/busy-clients';
import { filledIn, nameOf, readDashboard, type Panel } from '../../support/dashboard/dashboard';
import { monitoredServer } from '../../support/dashboard/monitored-server';
import { Prometheus, type Range } from '../../support/supplies/prometheus';
import { drawDashboard, type DrawnPanel } from './draw-dashboard';

const PICTURE = join(__dirname, '..', '..', '..', 'docs', 'pictures', 'dashboard.svg');
const JOB = 'weather';
/** Of the rates: with one scrape a second. */
const WINDOW = '5s';

const [seconds = 60] = process.argv.slice(2).map(Number);

/** Milliseconds: some calls take longer, and users take their time. */
function pauses(): { forecast: number; report: number; answer: () => Promise<void> } {
  const wave = 1 + Math.sin(Date.now() / 8000);
  const answer = (): Promise<void> => sleep(200 + 600 * Math.random());
  return { forecast: 2 + 6 * wave * Math.random(), report: 20 + 60 * wave * Math.random() ** 3, answer };
}

async function load(clients: BusyClients, until: number): Promise<void> {
  while (Date.now() < until) {
    await Promise.all([clients.round(), ...Array.from({ length: 12 }, () => clients.work())]);
    await sleep(100 + 100 * Math.sin(Date.now() / 6000));
  }
}

async function ask(prometheus: Prometheus, panel: Panel, range: Range): Promise<DrawnPanel> {
  const answers = (panel.targets ?? []).map(async (query) => {
    const series = await prometheus.range(filledIn(query.expr, { job: JOB, window: WINDOW }), range);
    return series.map(({ metric, values }) => ({ name: nameOf(query, metric), values }));
  });
  return { ...panel, series: (await Promise.all(answers)).flat() };
}

async function main(): Promise<void> {
  const server = await monitoredServer();
  const prometheus = await Prometheus.start('1s', { name: JOB, target: server.address });
  const clients = await BusyClients.open(server.url, pauses);
  const start = Date.now() / 1000;
  await load(clients, (start + seconds) * 1000);
  // The first rates need some scrapes.
  const range = { start: start + 6, end: Date.now() / 1000, step: 1 };
  const dashboard = readDashboard();
  const panels = await Promise.all(dashboard.panels.map((panel) => ask(prometheus, panel, range)));
  writeFileSync(PICTURE, drawDashboard(dashboard.title, panels, range));
  await clients.close();
  await prometheus.stop();
  await server.close();
  process.stdout.write(`${panels.length} panels are drawn.\n`);
}

void main();
