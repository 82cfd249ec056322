/**
 * The order of specs: those that take long begin first, so that no worker is left alone with one at the end. Jest knows how long a spec took
 * the last time; on a fresh clone it takes a large file for a slow one, which these are not.
 */
const Sequencer = require('@jest/test-sequencer').default;
const { nameOf } = require('./spec-filter.cjs');

/** As `npm test` lists them at its end, the slowest first. */
const SLOW = [
  'test/behaviour/http/fetch.spec.ts',
  'test/behaviour/http/node.spec.ts',
  'test/behaviour/toolsets/code.spec.ts',
  'test/behaviour/http/shared-streams.spec.ts',
  'packages/redis/test/sharded.spec.ts',
  'packages/nest/test/guards-of-everything.spec.ts',
  'test/behaviour/toolsets/escapes.spec.ts',
  'packages/redis/test/upstash.spec.ts',
  'packages/redis/test/stores.spec.ts',
  'packages/client/test/operations.spec.ts',
  'packages/client/test/leftovers.spec.ts',
  'test/behaviour/tasks/official.spec.ts',
  'packages/cli/test/new.spec.ts',
  // Of `npm run test:all`.
  'test/documents/docs/site.spec.ts',
  'test/programs/packaging/tutorial.spec.ts',
  'test/programs/packaging/new-skills.spec.ts',
  'test/programs/e2e/cli-openapi-apis.spec.ts',
  'test/programs/e2e/dev-page.spec.ts',
  'test/programs/e2e/dev.spec.ts',
  'test/endurance/fuzz/fuzz.spec.ts',
  'test/programs/e2e/talking-back.spec.ts',
];

module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    const placeOf = ({ path }) => {
      const place = SLOW.indexOf(nameOf(path));
      return place < 0 ? SLOW.length : place;
    };
    // The order of jest is kept among the others.
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other));
  }
};
