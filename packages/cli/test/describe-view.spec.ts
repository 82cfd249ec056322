/** What `sigil inspect` says of tools with views, and of views. */
import { describeToolView, describeView } from '../src/inspect/describe-view';

it.each([
  [undefined, undefined],
  [{}, undefined],
  [{ ui: 'ui://a' }, undefined],
  [{ ui: { resourceUri: 7, visibility: 'app' } }, undefined],
  [{ ui: { resourceUri: 'ui://a' } }, 'shows ui://a'],
  [{ ui: { resourceUri: 'ui://a', visibility: ['model', 'app'] } }, 'shows ui://a'],
  [{ ui: { resourceUri: 'ui://a', visibility: ['app'] } }, 'shows ui://a, called by views only'],
  [{ ui: { visibility: ['model'] } }, 'not called by views'],
])('says of a tool with %j: %s', (meta, said) => {
  expect(describeToolView({ _meta: meta })).toBe(said);
});

it.each([
  [undefined, undefined],
  [{ ui: {} }, undefined],
  [{ ui: { csp: 'https://a.example', permissions: [] } }, undefined],
  [{ ui: { csp: { connectDomains: [], other: ['x'] } } }, undefined],
  [
    {
      ui: {
        csp: { connectDomains: ['https://a.example', 'wss://b.example'], resourceDomains: ['https://c.example'] },
        permissions: { camera: {}, geolocation: {} },
        prefersBorder: true,
      },
    },
    'connects to https://a.example wss://b.example, loads from https://c.example, asks for camera geolocation, with a border',
  ],
  [{ ui: { prefersBorder: false } }, 'without a border'],
])('says of a view with %j: %s', (meta, said) => {
  expect(describeView({ _meta: meta })).toBe(said);
});
