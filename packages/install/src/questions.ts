/** The questions of `sigil install` at a terminal. */
import { ShownPrompts, statusOfSignal, type CliFailure, type ExampleVariable, type Shell } from '@sigil-mcp/cli/kit';
import type { Application } from './client';
import { endedBySignal } from './errors';

/** Asks the user; each question ends the command if it is cancelled. */
export class InstallQuestions {
  #prompts: ShownPrompts | undefined;

  constructor(
    private readonly shell: Shell,
    private readonly signal: AbortSignal,
  ) {}

  /** Whether the user agrees. */
  confirm(message: string): Promise<boolean> {
    return this.#ask((prompts, signal) => prompts.confirm({ message, initialValue: true, signal }));
  }

  /** The value of a variable. A secret is not shown while it is typed. */
  readonly askValue = async ({ name, description, value, isSecret }: ExampleVariable): Promise<string> => {
    const message = description === '' ? name : `${name}: ${description}`;
    const answer = await this.#ask((prompts, signal) =>
      isSecret ? prompts.password({ message, signal }) : prompts.text({ message, initialValue: value, signal }),
    );
    return answer ?? '';
  };

  /** Which application. */
  chooseClient(clients: readonly Application[]): Promise<string> {
    const options = clients.map(({ id, title }) => ({ value: id, label: title }));
    return this.#ask((prompts, signal) => prompts.select({ message: 'Which application?', options, signal }));
  }

  async #ask<Value>(question: (prompts: ShownPrompts, signal: AbortSignal) => Promise<Value | symbol>): Promise<Value> {
    const answer = await question((this.#prompts ??= await ShownPrompts.load(this.shell)), this.signal);
    // The library returns a symbol if the user cancels; answers are never symbols.
    if (typeof answer === 'symbol') throw stopped();
    return answer;
  }
}

/** As after Ctrl-C. */
export function stopped(): CliFailure {
  return endedBySignal(statusOfSignal('SIGINT'), 'SIGIL_INSTALL_STOPPED');
}
