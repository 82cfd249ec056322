/** CPU profiles of V8 -> the share of each function and each package. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const IDLE = '(idle)';

/**
 * Reads a profile.
 * @returns shares of the time that was not idle: `groups` by package, `own` by function, and `within`, which counts what a function calls
 */
export function readProfile({ nodes, samples }) {
  const byId = new Map(nodes.map((node) => [node.id, { ...node, name: nameOf(node.callFrame), samples: 0 }]));
  for (const node of byId.values()) for (const child of node.children ?? []) byId.get(child).parent = node;
  for (const id of samples) byId.get(id).samples += 1;
  const busy = [...byId.values()].filter(({ callFrame }) => callFrame.functionName !== IDLE);
  const total = busy.reduce((sum, node) => sum + node.samples, 0);
  const [groups, own, within] = [new Map(), new Map(), new Map()];
  const add = (map, name, count) => map.set(name, (map.get(name) ?? 0) + count / total);
  for (const node of busy) {
    add(groups, groupOf(node.callFrame), node.samples);
    add(own, node.name, node.samples);
    for (const name of callersOf(node)) add(within, name, node.samples);
  }
  return { groups: sorted(groups), own: sorted(own), within: sorted(within) };
}

/** The function and all that called it, each once. */
function callersOf(node) {
  const names = new Set();
  for (let each = node; each !== undefined; each = each.parent) names.add(each.name);
  names.delete('(root)');
  return names;
}

function nameOf({ functionName, url, lineNumber }) {
  if (url === '') return functionName;
  return `${functionName || '(anonymous)'} ${placeOf(url)}:${lineNumber + 1}`;
}

function placeOf(url) {
  if (url.startsWith('node:')) return url;
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  return path.includes('node_modules/') ? path.split('node_modules/').at(-1) : relative(root, path);
}

function groupOf({ functionName, url }) {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (url === '') return 'the system, and native code of Node';
  if (url.startsWith('node:')) return 'JavaScript of Node';
  const place = placeOf(url);
  if (url.includes('node_modules/'))
    return place
      .split('/')
      .slice(0, place.startsWith('@') ? 2 : 1)
      .join('/');
  return /^packages\/\w+/.exec(place)?.[0] ?? 'the entry and its clients';
}

function sorted(shares) {
  return [...shares].map(([name, share]) => ({ name, share })).sort((a, b) => b.share - a.share);
}
