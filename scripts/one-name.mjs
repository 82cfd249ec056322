/**
 * A part of `npm run lint`: does each name of an exported type have one meaning in all packages? Two files may export a type of the same
 * name only if `SAME` says why it is the same thing in both.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Names with the same meaning in several files, and why there are several. */
const SAME = {
  NodeProblem: 'create checks the version of Node before it loads the command line, which checks it as well',
  Progress: 'a report of progress, as the client reads it and as the test kit passes it on whole',
  Question: 'a question of a server, as the client passes it on and as the test kit records it',
  AnswerQuestion: 'answers such a question',
};

/** An exported type; one that only gives a type of another library its own name again is that library's. */
const EXPORTED = /^export (?:declare )?(?:abstract )?(?:class|interface|enum|type) (\w+)(?![^;{]*= (?:Mcp)\.)/gm;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'packages/*/src/*.ts'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');

/** @type {Map<string, string[]>} */
const places = new Map();
for (const file of files) {
  if (file === '' || !existsSync(join(root, file))) continue;
  for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(EXPORTED)) {
    const known = places.get(name) ?? [];
    // Overloads and merged declarations are one type.
    if (!known.includes(file)) places.set(name, [...known, file]);
  }
}

const problems = [];
for (const [name, where] of places) {
  if (where.length > 1 && !(name in SAME)) problems.push(`${name} is exported by ${where.join(' and ')}: rename one.`);
}
for (const name of Object.keys(SAME)) {
  if ((places.get(name) ?? []).length < 2)
    problems.push(`${name} is exported once: remove it from scripts/one-name.mjs.`);
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(problems.length === 0 ? 'Each name has one meaning.\n' : `${problems.length} names to change.\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
