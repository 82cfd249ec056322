/** Why a program ended, as its author reads it: the message first, with the position and the line of code, and the fix. */
import {
  isFrame,
  nameOfPlace,
  placeOf,
  showProblem,
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

/** The number of problems of a headline. */
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
  const problems: readonly SourceProblem[] = [
    ...circles.map(({ problem, fix }) => ({ message: problem, rest: [fix] })),
    ...(crash.problems.length > 0 ? problemsOf(crash.problems, crash, folder) : [problemOf(crash, folder)]),
  ];
  const more = problems.length - MOST;
  return {
    headline: [...problems.slice(0, MOST).map(plain), ...(more > 0 ? [`and ${more} more`] : [])].join(' '),
    text: problems.map((each) => showProblem(each, styles)).join('\n\n'),
    problems,
  };
}

/** The mistakes of a definition; those without a position of their own have that of the call that found them. */
function problemsOf(problems: readonly CrashProblem[], { stack }: Crash, folder: string): SourceProblem[] {
  const sources = new Sources(folder);
  const [caller] = ownFrames(stack, folder);
  return problems.map((mistake) => {
    const { where, problem, code, fix } = mistake;
    const position = sources.find(mistake) ?? (caller && positionOfFrame(caller));
    return { message: `${where}: ${problem}`, code, place: position && placeOf(position, folder), rest: [fix] };
  });
}

function problemOf(crash: Crash, folder: string): SourceProblem {
  const { name, message, stack, causes, causeStacks = [] } = crash;
  const own = [stack, ...causeStacks].map((each) => ownFrames(each, folder));
  const [first, ...others] = own.find((frames) => frames.length > 0) ?? [];
  const position = first ? positionOfFrame(first) : findInSources(crash, folder);
  const foreign = stack.split('\n').filter(isFrame);
  const frames = position ? others.map(({ text }) => `    ${text}`) : foreign.slice(0, FOREIGN_FRAMES);
  const fixes = KNOWN_FIXES.flatMap(({ message: known, frame, fix }) =>
    known.test(message) && frame.test(stack) ? [fix] : [],
  );
  return {
    message: `${name}: ${message.replace(REQUIRE_STACK, '')}`,
    place: position && placeOf(position, folder),
    rest: [...causes.map((cause) => `Caused by ${cause}`), ...fixes, ...frames],
  };
}

/** The member that the message begins with, or the call of `listen` in which the error occurred. */
function findInSources({ message, stack }: Crash, folder: string): SourcePosition | undefined {
  const sources = new Sources(folder);
  const member = sources.find({ where: message, problem: '', code: '' });
  return member ?? (/^[ \t]+at (?:async )?Server\.listen /m.test(stack) ? sources.findCall('listen') : undefined);
}

function plain({ message, code, place, rest }: SourceProblem): string {
  const sentences = rest.filter((line) => !isFrame(line));
  const [where, mark] = [place ? [nameOfPlace(place)] : [], code === undefined ? [] : [`[${code}]`]];
  return [...where, message, ...sentences, ...mark].join(' ');
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
