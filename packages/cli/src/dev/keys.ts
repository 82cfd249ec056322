/** Keys that a developer presses while `sigil dev` runs. */
import { emitKeypressEvents, type Key } from 'node:readline';
import type { Input } from '../terminal/shell';

/** What the keys do. */
export interface KeyActions {
  readonly restart: () => void;
  readonly page: () => void;
  readonly open: () => void;
  readonly inspect: () => void;
  readonly clear: () => void;
  readonly help: () => void;
  /** @param isInterrupted whether the key was Ctrl-C */
  readonly quit: (isInterrupted: boolean) => void;
}

/** The keys in one line. */
export const KEYS = 'p page, r restart, o open, i inspect, c clear, q quit, h help';

const ACTIONS: Readonly<Record<string, Exclude<keyof KeyActions, 'quit'>>> = {
  p: 'page',
  r: 'restart',
  o: 'open',
  i: 'inspect',
  c: 'clear',
  h: 'help',
  '?': 'help',
};

/** Listens to a terminal, without waiting for Enter. @returns gives the terminal back */
export function listenToKeys(terminal: Input, actions: KeyActions): () => void {
  const press = (text: string | undefined, { name, ctrl }: Key): void => {
    // A terminal in raw mode sends no signal for Ctrl-C.
    if (ctrl) return void (name === 'c' && actions.quit(true));
    if (text === 'q') return actions.quit(false);
    const action = ACTIONS[text ?? ''];
    if (action) actions[action]();
  };
  emitKeypressEvents(terminal);
  terminal.setRawMode?.(true);
  terminal.on('keypress', press).resume();
  return () => {
    terminal.off('keypress', press).pause();
    terminal.setRawMode?.(false);
  };
}
