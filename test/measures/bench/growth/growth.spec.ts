/** The picture of how costs grow: what a line is called, and that what is drawn is an SVG with nine charts. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const CHARTS = [
  ...['tools', 'sessions', 'subscriptions', 'interceptors', 'tasks', 'views'],
  ...['instances', 'arguments', 'results'],
];

/** Runs a module of the benchmark, which the loader of jest does not read, and returns what the expression gives. */
async function evaluate<T>(expression: string): Promise<T> {
  const from = (name: string): string => JSON.stringify(pathToFileURL(join(__dirname, name)).href);
  const program = `
    const { allSeries, fitLine, sayGrowth } = await import(${from('charts.mjs')});
    const { drawGrowth } = await import(${from('draw-growth.mjs')});
    const seriesOf = (cost) => allSeries().map((series) => {
      const points = series.points.map((x) => ({ x, y: cost(x), noise: 0 }));
      return { ...series, points, line: fitLine(points) };
    });
    process.stdout.write(JSON.stringify(${expression}));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  return JSON.parse(stdout) as T;
}

/** The names of the elements of a text that is well-formed; fails where it is not. */
function elementsOf(svg: string): string[] {
  const names: string[] = [];
  const open: string[] = [];
  for (const [tag, end, name, attributes, isEmpty] of svg.matchAll(/<(\/?)([a-z]+)((?:\s[\w:-]+="[^"<]*")*)(\/?)>/g)) {
    if (end) expect({ tag, closes: open.pop() }).toEqual({ tag, closes: name });
    else names.push(name!);
    if (!end && !isEmpty) open.push(name!);
    expect(attributes).not.toContain('NaN');
  }
  const rest = svg.replaceAll(/<\/?[a-z]+(?:\s[\w:-]+="[^"<]*")*\/?>/g, '');
  expect(rest).not.toMatch(/[<>]/);
  expect(open).toEqual([]);
  return names;
}

function expectPicture(svg: string): void {
  expect(elementsOf(svg)[0]).toBe('svg');
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
  expect([...svg.matchAll(/<g class="chart" id="(\w+)"/g)].map(([, id]) => id)).toEqual(CHARTS);
}

it.each([
  ['flat', 'x => 40 + (x % 3)'],
  ['straight', 'x => 40 + x / 100'],
  ['neither', 'x => 40 + Math.sqrt(x)'],
])('draws nine charts of what is %s', async (_kind, cost) => {
  expectPicture(await evaluate<string>(`drawGrowth(seriesOf(${cost}))`));
});

it('draws the picture of the guide', () => {
  expectPicture(readFileSync(join(__dirname, '../../../../docs/growth.svg'), 'utf8'));
});

describe('a line', () => {
  const kindOf = (cost: string): Promise<string[]> =>
    evaluate(
      `seriesOf(${cost}).filter(({ chart }) => chart.axis === 'decades' && chart.points.at(-1) >= 1000).map(({ line }) => line.kind)`,
    );

  it('is flat where it rises by less than a tenth', async () => {
    expect(new Set(await kindOf('x => 40 + (x % 3)'))).toEqual(new Set(['flat']));
  });

  it('is straight where no point is far from it, and neither where one is', async () => {
    expect(new Set(await kindOf('x => 4 + x / 100'))).toEqual(new Set(['straight']));
    expect(new Set(await kindOf('x => 4 + Math.sqrt(x)'))).toEqual(new Set(['neither']));
  });

  it('is found whatever the sizes, with its slope for each of what grows', async () => {
    const sizes = "find(({ chart }) => chart.name === 'arguments')";
    const said = await evaluate<string>(`sayGrowth(seriesOf(x => 40 + x / 500).${sizes})`);
    expect(said).toBe('straight, 40 µs + 2.0 ns per byte');
  });
});
