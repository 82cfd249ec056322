/**
 * Loaded into a server under test before its program. Over the channel of the child process it says what the process holds, and
 * how long its event loop stood still; the program knows nothing of it, and stdout stays the protocol's.
 */
'use strict';
const { readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { performance } = require('node:perf_hooks');
const { setInterval } = require('node:timers');
const v8 = require('node:v8');

/** Milliseconds between two looks at the clock. */
const TICK = 20;
const OURS = /[\\/]packages[\\/][a-z]+[\\/]dist[\\/]/;

/** The longest time that the loop stood still, and what of it was work: on a busy machine a process may just not be run. */
const held = { wall: 0, cpu: 0 };
let last = { at: performance.now(), cpu: process.cpuUsage() };

function tick() {
  const at = performance.now();
  const { user, system } = process.cpuUsage(last.cpu);
  const wall = at - last.at - TICK;
  const cpu = Math.min(wall, (user + system) / 1000);
  if (cpu > held.cpu) Object.assign(held, { wall, cpu });
  last = { at, cpu: process.cpuUsage() };
}

function figures() {
  tick();
  const handles = {};
  for (const name of process.getActiveResourcesInfo()) handles[name] = (handles[name] ?? 0) + 1;
  const told = { held: { ...held }, handles, heapUsed: v8.getHeapStatistics().used_heap_size };
  Object.assign(held, { wall: 0, cpu: 0 });
  return told;
}

/** What is left after a full collection; asked for when nothing runs, because it takes its time. */
function collect() {
  for (let count = 0; count < 3; count++) globalThis.gc?.();
  const told = { ...figures(), instances: instances(), listeners: listeners() };
  last = { at: performance.now(), cpu: process.cpuUsage() };
  return told;
}

/** Classes of Node that stand for connections and waiting. */
const NODES = ['Socket', 'ServerResponse', 'IncomingMessage', 'Timeout', 'AbortController', 'AbortSignal'];

/** Our classes that were loaded, and some of Node's -> how many of each are alive, as a heap snapshot has them. */
function instances() {
  const names = new Set([...NODES, ...ourClasses()]);
  const { snapshot, nodes, strings } = takeSnapshot();
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name] = [fields.indexOf('type'), fields.indexOf('name')];
  const object = types[type].indexOf('object');
  const counts = Object.fromEntries([...names].map((each) => [each, 0]));
  for (let at = 0; at < nodes.length; at += fields.length) {
    const constructed = strings[nodes[at + name]];
    if (nodes[at + type] === object && names.has(constructed)) counts[constructed]++;
  }
  return counts;
}

function takeSnapshot() {
  const file = v8.writeHeapSnapshot(join(tmpdir(), `sigil-${process.pid}.heapsnapshot`));
  const snapshot = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return snapshot;
}

/** By the text of what is loaded: a bundled package keeps most of its classes to itself. */
function ourClasses() {
  const loaded = Object.keys(require.cache).filter((file) => OURS.test(file));
  const declared = loaded.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/\b([A-Z]\w*) = class\b|\bclass ([A-Z]\w*)/g),
  ]);
  return declared.map(([, assigned, named]) => assigned ?? named);
}

function listeners() {
  const emitters = { process, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
  const counts = {};
  for (const [name, emitter] of Object.entries(emitters))
    for (const event of emitter.eventNames()) counts[`${name} ${String(event)}`] = emitter.listenerCount(event);
  return counts;
}

const asked = { figures, collect };

if (process.send) {
  setInterval(tick, TICK).unref();
  process.on('message', (message) => {
    const { door, milliseconds } = message ?? {};
    if (door === 'block') for (const end = performance.now() + milliseconds; performance.now() < end;);
    else if (door in asked) process.send({ door, told: asked[door]() });
  });
  // Whoever watches is gone.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // The server ends when its work does.
  process.channel.unref();
}
