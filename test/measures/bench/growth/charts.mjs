/** What is measured, one chart for each thing that may grow. The names of series are those under which their figures come. */

/** Sizes of arguments and of results, bytes. */
export const SIZES = [100, 1000, 10_000, 100_000, 1_000_000];

/**
 * `axis` says how x is drawn: each step as long as the next ('linear'), each decade ('decades'), or decades with a place for 0
 * ('decades and 0').
 */
export const CHARTS = [
  {
    name: 'tools',
    title: 'Tools of the server',
    unit: 'tool',
    label: 'tools',
    axis: 'decades',
    points: [3, 10, 100, 1000, 10_000],
    series: [
      { name: 'call', words: 'a call of one of them' },
      { name: 'turns', words: 'a call of each in turn' },
    ],
  },
  {
    name: 'sessions',
    title: 'Open sessions (HTTP)',
    unit: 'session',
    label: 'sessions',
    axis: 'decades',
    points: [1, 10, 100, 1000, 10_000],
    series: [
      { name: 'call', words: 'a call in one of them' },
      { name: 'turns', words: 'a call in each in turn' },
    ],
  },
  {
    name: 'subscriptions',
    title: 'Subscriptions',
    unit: 'subscription',
    label: 'subscriptions',
    axis: 'decades and 0',
    points: [0, 1, 10, 100, 1000],
    series: [
      { name: 'call', words: 'a call of the session that has them' },
      { name: 'change', words: 'a change told to that session', from: 1 },
      { name: 'shared', words: 'a change told to one of as many sessions', from: 1 },
    ],
  },
  {
    name: 'interceptors',
    title: 'Interceptors',
    unit: 'interceptor',
    label: 'interceptors',
    axis: 'linear',
    points: [0, 1, 2, 4, 8, 16, 32],
    series: [
      { name: 'tool', words: 'a call, all on its tool' },
      { name: 'server', words: 'a call, all on the server', from: 1 },
    ],
  },
  {
    name: 'tasks',
    title: 'Tasks that wait for an answer',
    unit: 'task',
    label: 'tasks',
    axis: 'decades',
    points: [1, 10, 100, 1000, 10_000],
    series: [
      { name: 'call', words: 'a call that is no task' },
      { name: 'get', words: 'tasks/get of each in turn' },
    ],
  },
  {
    name: 'views',
    title: 'Views, each with a tool',
    unit: 'view',
    label: 'views',
    axis: 'decades',
    points: [1, 10, 100, 1000],
    series: [
      { name: 'call', words: 'a call of a tool with a view' },
      { name: 'read', words: 'reading a view' },
    ],
  },
  {
    name: 'instances',
    title: 'Instances that share a Redis (HTTP)',
    unit: 'instance',
    label: 'instances',
    axis: 'decades',
    points: [1, 2, 4, 8, 16],
    series: [
      { name: 'call', words: 'a call in a session' },
      { name: 'change', words: 'a change, for a subscriber at another' },
    ],
  },
  {
    name: 'arguments',
    title: 'Size of arguments (HTTP)',
    unit: 'byte',
    label: 'bytes of arguments',
    axis: 'decades',
    points: SIZES,
    series: [
      { name: 'text', words: 'one string' },
      { name: 'list', words: 'small objects, each validated' },
    ],
  },
  {
    name: 'results',
    title: 'Size of results (HTTP)',
    unit: 'byte',
    label: 'bytes of the result',
    axis: 'decades',
    points: SIZES,
    series: [
      { name: 'text', words: 'one string' },
      { name: 'list', words: 'small objects, each validated' },
    ],
  },
];

/** Each series with its chart, and the points that it has. */
export function allSeries() {
  return CHARTS.flatMap((chart) =>
    chart.series.map((series) => ({
      ...series,
      chart,
      points: chart.points.filter((x) => x >= (series.from ?? 0)),
    })),
  );
}
