/** A Dockerfile done by hand: each step in a folder of its stage, without an engine. */
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { plainEnvironment, run, type Ran } from './run-command';

/** What the last stage says about its container. */
export interface Image {
  /** The folder that stands for the working directory. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

interface Stage {
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
  user: string;
  command: string[];
  healthcheck: string[];
}

/**
 * Does every step, one after the other.
 * @param into where the stages' files go
 * @param link puts packages into the folder in which `npm ci` installs: npm then only judges them; it installs them itself if left out
 */
export async function buildImage(
  context: string,
  into: string,
  link?: (folder: string) => Promise<void>,
): Promise<Image> {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const [instruction, rest] of stepsOf(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    if (instruction === 'FROM') {
      const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'last';
      stage = { root: join(into, name), workdir: '/', env: {}, user: 'root', command: [], healthcheck: [] };
      stages.set(name, stage);
    } else if (stage) {
      await doStep(stage, instruction, rest, { context, stages, link });
    }
  }
  if (!stage) throw new Error('There is no FROM.');
  const { user, env, command, healthcheck } = stage;
  return { folder: join(stage.root, stage.workdir), user, env, command, healthcheck };
}

interface Surroundings {
  readonly context: string;
  readonly stages: ReadonlyMap<string, Stage>;
  readonly link: ((folder: string) => Promise<void>) | undefined;
}

function stepsOf(text: string): [string, string][] {
  return text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, instruction = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
      return [instruction, rest];
    });
}

async function doStep(
  stage: Stage,
  instruction: string,
  rest: string,
  { context, stages, link }: Surroundings,
): Promise<void> {
  const cwd = join(stage.root, stage.workdir);
  if (instruction === 'WORKDIR') {
    stage.workdir = rest;
    mkdirSync(join(stage.root, rest), { recursive: true });
  } else if (instruction === 'COPY') {
    copy(rest, cwd, context, stages);
  } else if (instruction === 'RUN') {
    const isLinked = link !== undefined && rest.startsWith('npm ci ');
    if (isLinked) await link(cwd);
    await runStep(isLinked ? rest.replace('npm ci', 'npm install') : rest, cwd, stage.env);
  } else if (instruction === 'ENV') {
    for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value;
  } else if (instruction === 'USER') {
    stage.user = rest;
  } else if (instruction === 'CMD') {
    stage.command = JSON.parse(rest) as string[];
  } else if (instruction === 'HEALTHCHECK') {
    stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
  } else if (instruction !== 'EXPOSE') {
    throw new Error(`Nobody taught this test what ${instruction} is.`);
  }
}

/**
 * A registry that lacks the packages of other platforms makes lock files that `npm ci` refuses; then the packages come from
 * the same lock file with `npm install`.
 */
async function runStep(line: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const once = (words: string): Promise<Ran> => run('sh', ['-c', words], cwd, { ...plainEnvironment(), ...env });
  let ended = await once(line);
  if (ended.code !== 0 && /Missing: \S+@ from lock file/.test(ended.stderr)) {
    ended = await once(line.replace(/^npm ci\b/, 'npm install'));
  }
  if (ended.code !== 0) throw new Error(`RUN ${line} ended with ${ended.code}:\n${ended.stdout}\n${ended.stderr}`);
}

function copy(rest: string, cwd: string, context: string, stages: ReadonlyMap<string, Stage>): void {
  const words = rest.split(' ');
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  const target = words.pop() ?? '';
  for (const source of words) {
    const path = from === undefined ? join(context, source) : join(stages.get(from)?.root ?? '', source);
    const into =
      target.endsWith('/') && !statSync(path).isDirectory() ? join(cwd, target, basename(path)) : join(cwd, target);
    cpSync(path, into, { recursive: true, verbatimSymlinks: true });
  }
}
