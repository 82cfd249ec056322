/** Why a program ended, as its author reads it: the message first, with the position and the line of code, and the fix. */
import {
  nameOfPosition,
  placeOf,
  showPosition,
  type SourcePosition,
  type SourceProblem,
} from '../project/show-position';
import { circularImports } from '../doctor/check-signatures';
import { readSetup, type Finding } from '../doctor/read-setup';
import type { Styles } from '../terminal/styles';
import type { Crash, CrashProblem } from './crash-report';
import { Sources } from './find-member';
import { ownFrames, positionOfFrame } from './own-frames';

/** A cause as text. */
export interface Cause {
  /** Plain text for a client: the sentences and their positions. */
  readonly headline: string;
  /** For the terminal: the same, with lines of code. */
  readonly text: string;
  /** The same for a page. */
  readonly problems: readonly SourceProblem[];
}

/** What a description needs. */
export interface CauseOptions {
  /** Of the project; the base of the paths. */
  readonly folder: string;
  readonly styles: Styles;
}

/** A sentence, its position, and what follows it. */
interface Passage {
  readonly message: string;
  readonly code?: string;
  readonly position?: SourcePosition | undefined;
  readonly rest: readonly string[];
}

/** The number of passages of a headline. */
const MOST = 3;
/** Lines of a stack trace that are shown if none of them is in the project. */
const FOREIGN_FRAMES = 5;

/** Codes that a circular import can be the cause of: one of the files has run before the classes of the other existed. */
const MAYBE_CIRCULAR = new Set(['SIGIL_PARAMETER_WITHOUT_TYPE', 'SIGIL_FEATURE_NOT_A_CLASS', 'SIGIL_PROVIDER']);
/** What Node adds to the message of a missing module; the stack says the same. */
const REQUIRE_STACK = /\nRequire stack:[\s\S]*$/;
const UNREADY = /^Cannot access '[^']+' before initialization$/;

/** What to do about errors of libraries that do not say it. */
const KNOWN_FIXES = [
  {
    message: /^Cannot convert undefined or null to object$/,
    frame: /^[ \t]+at (?:Object\.)?IsEnum /m,
    fix: '@IsEnum() was given undefined. Import the enum with a plain `import`. If this file and that of the enum import each other, move the enum to a separate file.',
  },
];

/** Describes the error that ended a program. */
export function describeCause(crash: Crash, { folder, styles }: CauseOptions): Cause {
  const circles = mayBeCircular(crash) ? findCircles(folder) : [];
  const passages: readonly Passage[] = [
    ...circles.map(({ problem, fix }) => ({ message: problem, rest: [fix] })),
    ...(crash.problems.length > 0 ? passagesOf(crash.problems, crash, folder) : [passageOf(crash, folder)]),
  ];
  const more = passages.length - MOST;
  return {
    headline: [
      ...passages.slice(0, MOST).map((each) => plain(each, folder)),
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join(' '),
    text: passages.map((each) => show(each, { folder, styles })).join('\n\n'),
    problems: passages.map(({ position, ...passage }) => ({
      ...passage,
      place: position && placeOf(position, folder),
    })),
  };
}

/** The mistakes of a definition; those without a position of their own have that of the call that found them. */
function passagesOf(problems: readonly CrashProblem[], { stack }: Crash, folder: string): Passage[] {
  const sources = new Sources(folder);
  const [caller] = ownFrames(stack, folder);
  return problems.map((mistake) => ({
    message: `${mistake.where}: ${mistake.problem}`,
    code: mistake.code,
    position: sources.find(mistake) ?? (caller && positionOfFrame(caller)),
    rest: [mistake.fix],
  }));
}

function passageOf(crash: Crash, folder: string): Passage {
  const { name, message, stack, causes, causeStacks = [] } = crash;
  const own = [stack, ...causeStacks].map((each) => ownFrames(each, folder));
  const [first, ...others] = own.find((frames) => frames.length > 0) ?? [];
  const position = first ? positionOfFrame(first) : findInSources(crash, folder);
  const foreign = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const frames = position ? others.map(({ text }) => `    ${text}`) : foreign.slice(0, FOREIGN_FRAMES);
  const fixes = KNOWN_FIXES.flatMap(({ message: known, frame, fix }) =>
    known.test(message) && frame.test(stack) ? [fix] : [],
  );
  return {
    message: `${name}: ${message.replace(REQUIRE_STACK, '')}`,
    position,
    rest: [...causes.map((cause) => `Caused by ${cause}`), ...fixes, ...frames],
  };
}

/** The member that the message begins with, or the call of `listen` in which the error occurred. */
function findInSources({ message, stack }: Crash, folder: string): SourcePosition | undefined {
  const sources = new Sources(folder);
  const member = sources.find({ where: message, problem: '', code: '' });
  return member ?? (/^[ \t]+at (?:async )?Server\.listen /m.test(stack) ? sources.findCall('listen') : undefined);
}

function show({ message, code, position, rest }: Passage, { folder, styles }: CauseOptions): string {
  const text = code === undefined ? message : `${message} ${styles.dim(`[${code}]`)}`;
  const head = position ? showPosition(position, text, { folder, styles }) : text;
  return [head, ...rest.map((line) => (/^\s+at /.test(line) ? styles.dim(line) : line))].join('\n');
}

function plain({ message, code, position, rest }: Passage, folder: string): string {
  const where = position ? [nameOfPosition(position, folder)] : [];
  const sentences = rest.filter((line) => !/^\s+at /.test(line));
  return [...where, message, ...sentences, ...(code === undefined ? [] : [`[${code}]`])].join(' ');
}

function mayBeCircular({ problems, message }: Crash): boolean {
  return UNREADY.test(message) || problems.some(({ code }) => MAYBE_CIRCULAR.has(code));
}

/** What `sigil doctor` says about the imports of the project. */
function findCircles(folder: string): readonly Finding[] {
  try {
    return [...circularImports.find(readSetup(folder))];
  } catch {
    return []; // a project that doctor cannot read
  }
}
