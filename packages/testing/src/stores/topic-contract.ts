/** The contract of a bus with topics. A bus without them has nothing to show. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stores, TopicBus } from '@sigil-mcp/core/stores';
import { atOnce, fresh, LONG_TEXT, until, type Contract } from './suite';

type TopicTest = (topics: TopicBus, other: TopicBus) => Promise<void>;

/** Shows a sentence for stores that have topics. */
function topical(show: TopicTest): Contract[string] {
  return async (stores: Stores, others: Stores) => {
    const [one, other] = [stores.bus.topics, others.bus.topics];
    if (one && other) await show(one, other);
  };
}

/** A topic as users choose them. */
const topicNamed = (name: string): string => `file:///${fresh('topic')}/${name}`;

const NAMES = ['', '{a}', 'a b', '日本', '\u0000', ':w', 'x'.repeat(10_000)];

/** What a bus with topics must do. */
export const TOPIC_CONTRACT: Contract = {
  'notifies the followers of a topic of its last change, and nobody of the changes of another': topical(
    async (one, other) => {
      const [mine, ours] = [topicNamed('mine'), topicNamed('ours')];
      const [heard, heardElsewhere]: [string[], string[]] = [[], []];
      const stops = [
        one.follow(mine, (change) => heard.push(change)),
        one.follow(ours, (change) => heard.push(change)),
        other.follow(ours, (change) => heardElsewhere.push(change)),
      ];
      await other.announce(mine, 'to one');
      await until(() => heard.length === 1);
      await one.announce(ours, LONG_TEXT);
      await until(() => heard.length === 2 && heardElsewhere.length === 1);
      equal(heard[0], 'to one');
      ok(heard[1] === LONG_TEXT && heardElsewhere[0] === LONG_TEXT);
      stops.forEach((stop) => stop());
      await other.announce(mine, 'too late');
      equal(heard.length, 2);
    },
  ),
  'notifies of what is announced while following begins, however many topics begin': topical(async (one, other) => {
    const topics = Array.from({ length: 50 }, (_, index) => topicNamed(`${index}`));
    const heard = new Map<string, string>();
    await atOnce(topics, (topic) => other.announce(topic, 'shortly before'));
    const stops = topics.map((topic) => one.follow(topic, (change) => heard.set(topic, change)));
    await atOnce(topics, (topic) => other.announce(topic, 'last'));
    await until(() => topics.every((topic) => heard.get(topic) === 'last'));
    deepEqual(
      topics.filter((topic) => heard.get(topic) !== 'last'),
      [],
    );
    stops.forEach((stop) => stop());
  }),
  'notifies of many changes at once until the last one of them': topical(async (one, other) => {
    const topic = topicNamed('busy');
    const heard: string[] = [];
    const stop = other.follow(topic, (change) => heard.push(change));
    for (let index = 0; index < 200; index++) await one.announce(topic, `${index}`);
    await until(() => heard.at(-1) === '199');
    equal(heard.at(-1), '199');
    stop();
  }),
  'knows the last change of each topic after a position': topical(async (one, other) => {
    const topics = NAMES.map(topicNamed);
    const [first = '', second = ''] = topics;
    await one.announce(first, 'before');
    const position = await later(one);
    match(position, /^[\da-z]{1,20}$/i);
    deepEqual(await other.changesAfter(position, topics), []);
    for (const topic of topics) await one.announce(topic, `to ${topic.length}\n🎈`);
    await one.announce(second, 'again');
    deepEqual(
      await other.changesAfter(position, topics),
      topics.map((topic) => (topic === second ? 'again' : `to ${topic.length}\n🎈`)),
    );
    deepEqual(await other.changesAfter(position, [second, topicNamed('unchanged')]), ['again']);
    deepEqual(await one.changesAfter(await later(other), topics), []);
  }),
  'has positions of some time ago, which are valid, too': topical(async (one) => {
    const topic = topicNamed('settled');
    const position = await later(one);
    const positions = [position, one.recent, one.settled];
    ok(!positions.includes(''));
    for (let reading = 0; reading < 200; reading++) {
      if (reading % 20 === 0) await one.position();
      positions.push(one.settled);
    }
    equal(new Set(positions.slice(2)).size, positions.length - 2);
    await one.announce(topic, 'change');
    for (const each of positions.slice(0, 3)) deepEqual(await one.changesAfter(each, [topic]), ['change']);
  }),
  'takes nothing that clients send for a position of topics': topical(async (one) => {
    for (const wrong of ['', '0', '-', 'x', '1e3', '0-0', '9'.repeat(30), '日本', 'x'.repeat(1000)])
      equal(await one.changesAfter(wrong, [topicNamed('any')]), undefined, wrong);
  }),
};

/** A position after everything so far: a bus may measure in milliseconds. */
async function later(topics: TopicBus): Promise<string> {
  const before = await topics.position();
  for (;;) {
    const now = await topics.position();
    if (now !== before) return now;
    await sleep(1);
  }
}
