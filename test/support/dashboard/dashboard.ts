/** The dashboard of packages/otel as data: its panels, and their queries as Grafana sends them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file that users import into Grafana. */
export const DASHBOARD = join(__dirname, '..', '..', '..', 'packages', 'otel', 'grafana', 'sigil.json');

/** A query of a panel. */
export interface PanelQuery {
  /** With its variables. */
  readonly expr: string;
  /** The name of each series: `{{label}}` stands for the value of a label. */
  readonly legendFormat: string;
}

/** A panel. */
export interface Panel {
  readonly type: 'row' | 'timeseries';
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
  readonly targets?: readonly PanelQuery[];
}

/** A variable that users choose a value of. */
interface Variable {
  readonly name: string;
  readonly query: string;
}

/** What the file has. */
export interface Dashboard {
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly Variable[] };
}

export function readDashboard(): Dashboard {
  return JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard;
}

/** What users have chosen: the job, and the time over which rates are taken (at least four times the interval of the scrapes). */
export interface Choice {
  readonly job: string;
  readonly window: string;
}

/** A query with the values of its variables. */
export function filledIn(query: string, { job, window }: Choice): string {
  return Object.entries({ job, instance: '.+', __rate_interval: window }).reduce(
    (text, [name, value]) => text.replaceAll(`$${name}`, value),
    query,
  );
}

/** The labels that the names of the series show. */
export function labelsOf({ legendFormat }: PanelQuery): readonly string[] {
  return [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
}

/** The name of a series as Grafana shows it. */
export function nameOf({ legendFormat }: PanelQuery, metric: Readonly<Record<string, string>>): string {
  return legendFormat.replace(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? '');
}
