/** A real Prometheus for tests: a process of its own on a free port, which scrapes what a test serves. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port';
import { until } from '../until';

const PROGRAM = 'prometheus';
const TOOL = 'promtool';

/** The labels of a series, by their names. */
export type Labels = Readonly<Record<string, string>>;

/** A series by now. */
export interface Sample {
  readonly metric: Labels;
  readonly value: number;
}

/** A series over some time: pairs of seconds and a value. */
export interface Series {
  readonly metric: Labels;
  readonly values: readonly (readonly [seconds: number, value: number])[];
}

/** Which seconds are asked for. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** What is scraped. */
export interface Job {
  readonly name: string;
  /** Host and port of what has /metrics. */
  readonly target: string;
  /** How names of metrics are changed: a pattern of the whole name, and what replaces it. */
  readonly renames?: readonly (readonly [pattern: string, replacement: string])[];
}

/** Whether the program and its tool are there. */
export function hasPrometheus(): boolean {
  return [PROGRAM, TOOL].every((program) => spawnSync(program, ['--version']).status === 0);
}

/** What `promtool check metrics` has to say about a text that was scraped; empty if all is well. */
export function checkMetrics(text: string): string {
  const { status, stdout, stderr } = spawnSync(TOOL, ['check', 'metrics'], { input: text, encoding: 'utf8' });
  return status === 0 ? '' : `${status} ${stdout}${stderr}`;
}

/** A Prometheus that runs until it is stopped. */
export class Prometheus {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  /** Starts it. @param interval of the scrapes, such as `250ms` */
  static async start(interval: string, ...jobs: readonly Job[]): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'sigil-prometheus-'));
    const file = join(folder, 'prometheus.yml');
    const global = { scrape_interval: interval, scrape_timeout: interval };
    writeFileSync(file, JSON.stringify({ global, scrape_configs: jobs.map(configurationOf) }));
    const port = await freePort();
    const address = `127.0.0.1:${port}`;
    const words = [`--config.file=${file}`, `--storage.tsdb.path=${folder}`, `--web.listen-address=${address}`];
    const child = spawn(PROGRAM, [...words, '--log.level=warn'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const started = new Prometheus(child, folder, `http://${address}`);
    await started.#ready();
    return started;
  }

  /** The series of a query by now. */
  async query(query: string): Promise<readonly Sample[]> {
    const result = await this.#ask<{ metric: Labels; value: [number, string] }[]>('query', { query });
    return result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }));
  }

  /** The series of a query over some time. */
  async range(query: string, { start, end, step }: Range): Promise<readonly Series[]> {
    const words = { query, start: `${start}`, end: `${end}`, step: `${step}` };
    const result = await this.#ask<{ metric: Labels; values: [number, string][] }[]>('query_range', words);
    return result.map(({ metric, values }) => ({ metric, values: values.map(([at, value]) => [at, Number(value)]) }));
  }

  async stop(): Promise<void> {
    const exit = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exit;
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #ask<T>(path: string, words: Labels): Promise<T> {
    const answer = await fetch(`${this.url}/api/v1/${path}?${new URLSearchParams(words).toString()}`);
    const { data, error } = (await answer.json()) as { data?: { result: T }; error?: string };
    if (!data) throw new Error(`${words['query']}: ${error}`);
    return data.result;
  }

  async #ready(): Promise<void> {
    let said = '';
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    await until(async () => {
      if (this.process.exitCode !== null) throw new Error(`${PROGRAM} has ended: ${said}`);
      return fetch(`${this.url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
  }
}

function configurationOf({ name, target, renames = [] }: Job): object {
  return {
    job_name: name,
    static_configs: [{ targets: [target] }],
    metric_relabel_configs: renames.map(([regex, replacement]) => ({
      source_labels: ['__name__'],
      regex,
      target_label: '__name__',
      replacement,
    })),
  };
}
