/** What the page knows: it changes with the events of sigil dev, and everything that is drawn reads it. */
import { listen, pathOf, post } from './api.js';
import { changesBetween } from './diff.js';
import { useEffect, useState } from './markup.js';
import { answerByRules, noRules } from './question-rules.js';
import { TrafficModel } from './traffic-model.js';

/** Errors of handlers that are kept. */
const MOST_ERRORS = 30;

/**
 * As whom the page calls.
 * @typedef {{ revision: string, token: string, caller: string }} Speaker
 *
 * What a speaker sees.
 * @typedef {{ tools: any[], resources: any[], templates: any[], prompts: any[], capabilities: any, instructions?: string, info?: any }} Lists
 */

export const store = {
  traffic: new TrafficModel(),
  /** @type {'opening' | 'open' | 'lost' | 'refused'} */
  connection: 'opening',
  /** @type {any} */
  hello: undefined,
  /** @type {any} */
  server: { phase: 'building', problems: [] },
  /** @type {any[]} errors that handlers have thrown */
  errors: [],
  /** @type {any[]} */
  questions: [],
  /** @type {Map<string, any>} the tasks of the page, by their calls */
  tasks: new Map(),
  /** @type {any} the tests that a change concerns */
  tests: { phase: 'idle', files: [], output: '' },
  /** @type {Speaker} */
  speaker: { revision: '', token: '', caller: 'you' },
  /** @type {{ name: string, token: string }[]} kept in this tab alone */
  callers: [],
  /** @type {Lists | undefined} */
  lists: undefined,
  /** The revision in which the lists were read. */
  revision: '',
  /** @type {string | undefined} */
  listProblem: undefined,
  /** How questions are answered, by their kind. */
  rules: noRules(),
  path: pathOf(),
  isPaused: false,
  /** @type {Map<string, string>} entries that the last version has added (`+`) or changed (`~`) */
  fresh: new Map(),
  /** @type {any} what the speaker may do with each entry, and where it stands in the sources */
  judged: undefined,
};

/** What is under way: who draws, whether a frame is due, whether the lists are those of another speaker than before. */
const work = {
  /** @type {(() => void)[]} */
  drawers: [],
  isDue: false,
  isOther: false,
  /** Counts the readings of the lists: only the last one counts. */
  readings: 0,
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  refreshing: undefined,
};

/** Draws everything again, at most once a frame. */
export function changed() {
  if (work.isDue) return;
  work.isDue = true;
  requestAnimationFrame(() => {
    work.isDue = false;
    for (const draw of work.drawers) draw();
  });
}

/** Draws a component again with each change. */
export function useStore() {
  const [, draw] = useState(0);
  useEffect(() => {
    const redraw = () => draw((count) => count + 1);
    work.drawers = [...work.drawers, redraw];
    return () => {
      work.drawers = work.drawers.filter((one) => one !== redraw);
    };
  }, []);
  return store;
}

/** @type {Record<string, (data: any) => void>} */
const RECEIVE = {
  hello: (hello) => {
    store.hello = hello;
    store.questions = hello.questions;
  },
  traffic: (news) => {
    store.traffic.add(news);
    const isChange = (/** @type {any} */ { from, text }) => from === 'server' && text.includes('/list_changed"');
    if (news.entries.some(isChange)) refreshSoon();
  },
  state: (state) => {
    const isNew = state.phase === 'ready' && state.serving !== store.server.serving;
    store.server = state;
    if (isNew) void refresh();
  },
  mark: (mark) => {
    // A page that connects again hears of them again.
    store.traffic.addMark(mark);
    if (mark.changes?.length > 0) noteChanges(mark.changes);
  },
  task: (task) => void store.tasks.set(task.call, task),
  tests: (tests) => {
    store.tests = tests;
  },
  times: (times) => store.traffic.addTimes(times),
  error: (error) => {
    if (store.errors.some(({ errorId }) => errorId === error.errorId)) return;
    store.errors = [error, ...store.errors].slice(0, MOST_ERRORS);
  },
  question: (question) => {
    store.questions = [...store.questions, question];
    const answer = answerByRules(store.rules, question);
    if (answer) void post('answer', { id: question.id, ...answer });
  },
  answered: ({ id }) => {
    store.questions = store.questions.filter((one) => one.id !== id);
  },
};

/** Connects the page, and reads what there is to see. */
export function start() {
  readCallers();
  window.addEventListener('hashchange', () => {
    store.path = pathOf();
    changed();
  });
  const receive = (/** @type {string} */ name, /** @type {any} */ data) => {
    RECEIVE[name]?.(data);
    changed();
  };
  const tell = (/** @type {any} */ status) => {
    store.connection = status;
    changed();
  };
  void listen(receive, tell, () => store.traffic.seq);
}

/** Reads the lists of the speaker again. */
export async function refresh() {
  const reading = (work.readings += 1);
  const { result, revision, problem } = await post('list', store.speaker);
  if (reading !== work.readings) return;
  const before = store.lists;
  store.listProblem = problem;
  if (result) {
    const changes = before === undefined || work.isOther ? [] : changesBetween(before, result);
    store.lists = result;
    store.revision = revision;
    if (changes.length > 0) noteChanges(changes);
    work.isOther = false;
  }
  changed();
  const judged = await post('judge', { token: store.speaker.token });
  if (reading !== work.readings) return;
  store.judged = judged;
  changed();
}

/** What the server says of an entry; undefined if it says nothing. @param {string} kind @param {string} key @returns {any} */
export function judgedOf(kind, key) {
  const named = kind === 'template' ? 'resource-template' : kind;
  return store.judged?.entries?.find((/** @type {any} */ one) => one.kind === named && one.key === key);
}

/** Several lists are announced at once, and read once. */
function refreshSoon() {
  clearTimeout(work.refreshing);
  work.refreshing = setTimeout(() => void refresh(), 150);
}

/** The lists differ from those before. @param {{ name: string, sign: string }[]} changes */
function noteChanges(changes) {
  store.fresh = new Map(changes.map(({ name, sign }) => [name, sign]));
}

/** Speaks as somebody else from now on. @param {Partial<Speaker>} speaker */
export function speakAs(speaker) {
  store.speaker = { ...store.speaker, ...speaker };
  work.isOther = true;
  void refresh();
  changed();
}

/** @param {{ name: string, token: string }[]} callers */
export function keepCallers(callers) {
  store.callers = callers;
  sessionStorage.setItem('callers', JSON.stringify(callers));
  changed();
}

function readCallers() {
  try {
    store.callers = JSON.parse(sessionStorage.getItem('callers') ?? '[]');
  } catch {
    store.callers = [];
  }
}
