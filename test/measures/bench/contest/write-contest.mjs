/** The figures as tables, and each aim as a line. */
import { percent, say, verdict, writeTable } from '../report.mjs';
import { middleOf, shareOf, DEV_AIM, SESSION_AIM, START_AIMS, STDIO_AIMS, httpAims } from './rounds.mjs';
import { FLOOR } from './contestants.mjs';

/** Calls over stdio. */
export function writeCalls({ ways }) {
  for (const way of ways) writeWay(way, STDIO_AIMS);
}

/** Calls over HTTP, and what open sessions take. */
export function writeHttp({ ways, sessions }) {
  for (const way of ways) writeWay(way, httpAims(way));
  say('\nan open session over HTTP, KiB');
  const rows = sessions.map(({ name, ...sizes }) => [name, ...Object.values(sizes).map((size) => size.toFixed(1))]);
  writeTable(['server', 'the first, resident', 'later ones, resident', 'heap'], rows, 1);
  const { name, most } = SESSION_AIM;
  const { next } = sessions.find((each) => each.name === name);
  verdict(`${name}: ${next.toFixed(1)} KiB resident`, `at most ${most}`, (next - most).toFixed(1), next <= most);
}

/** From a process to its first answer. */
export function writeStart({ starts, dev }) {
  for (const { tools, contestants } of starts) {
    say(`\nfrom spawn to the answer to initialize, ${tools} tools, milliseconds`);
    const floor = get(contestants, FLOOR);
    const rows = contestants.map((each) => [
      each.name,
      middleOf(each, 'ready').toFixed(0),
      (middleOf(each, 'ready') - middleOf(floor, 'ready')).toFixed(0),
    ]);
    writeTable(['server', 'ready', 'above the floor'], rows, 1);
    for (const aim of START_AIMS.get(tools)) judgeStart(contestants, tools, aim);
  }
  judgeTime('sigil dev', middleOf({ rounds: dev }, 'ready'), DEV_AIM);
}

function judgeStart(contestants, tools, { name, than, most }) {
  const contestant = get(contestants, name);
  if (than === undefined) return judgeTime(`${name}, ${tools} tools`, middleOf(contestant, 'ready'), most);
  const { middle } = shareOf(contestant, get(contestants, than), 'ready');
  const sentence = `${name}, ${tools} tools: ${middle.toFixed(2)} of the time of ${than}`;
  verdict(sentence, `below ${most}`, (middle - most).toFixed(2), middle < most);
}

function judgeTime(what, took, most) {
  const missing = `${(took - most).toFixed(0)} ms`;
  verdict(`${what}: ${took.toFixed(0)} ms`, `at most ${most}`, missing, took <= most);
}

function writeWay({ name, contestants }, aims) {
  say(`\n${name}`);
  const floor = get(contestants, FLOOR);
  const rows = contestants.map((each) => {
    const { middle, lower, upper } = shareOf(each, floor, 'rate');
    return [
      each.name,
      middleOf(each, 'rate').toFixed(0),
      percent(middle),
      `${percent(lower)} to ${percent(upper)}`,
      middleOf(each, 'cost').toFixed(1),
      percent(middleOf(each, 'client')),
      middleOf(each, 'foreign').toFixed(1),
    ];
  });
  writeTable(['server', 'calls/s', 'of the floor', 'quartiles', 'CPU µs', "client's core", 'cores of others'], rows, 1);
  for (const aim of aims) judgeShare(contestants, aim);
}

/** On a machine that others use the processor's time tells more than the wall's. */
function judgeShare(contestants, { name, than, least }) {
  const [contestant, other] = [get(contestants, name), get(contestants, than)];
  const { middle, lower, upper } = shareOf(contestant, other, 'rate');
  const byProcessor = 1 / shareOf(contestant, other, 'cost').middle;
  const quartiles = `quartiles ${lower.toFixed(2)} to ${upper.toFixed(2)}`;
  const sentence = `${name}: ${middle.toFixed(2)} of ${than}, ${quartiles}, by CPU ${byProcessor.toFixed(2)}`;
  verdict(sentence, `at least ${least}`, (least - middle).toFixed(2), middle >= least);
}

function get(contestants, name) {
  return contestants.find((each) => each.name === name);
}
