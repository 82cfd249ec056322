/** The questions of `sigil install` at a terminal. */
import { ShownPrompts, statusOfSignal, type CliFailure, type ExampleVariable, type Shell } from '@sigil-mcp/cli/kit';
import type { Application } from './client';
import { endedBySignal } from './errors';

/** Asks the user; each question ends the command if it is cancelled. */
export class InstallQuestions {
  readonly #signal: AbortSignal;
  #prompts: ShownPrompts | undefined;

  constructor(
    private readonly shell: Shell,
    signal: AbortSignal,
  ) {
    this.#signal = signal;
  }

  /** Whether the user agrees. */
  async confirm(message: string): Promise<boolean> {
    const prompts = await this.#load();
    return this.#answer(await prompts.confirm({ message, initialValue: true, signal: this.#signal }));
  }

  /** The value of a variable. A secret is not shown while it is typed. */
  readonly askValue = async ({ name, description, value, isSecret }: ExampleVariable): Promise<string> => {
    const prompts = await this.#load();
    const message = description === '' ? name : `${name}: ${description}`;
    const signal = this.#signal;
    const asked = isSecret
      ? prompts.password({ message, signal })
      : prompts.text({ message, initialValue: value, signal });
    return this.#answer(await asked) ?? '';
  };

  /** Which application. */
  async chooseClient(clients: readonly Application[]): Promise<string> {
    const prompts = await this.#load();
    const options = clients.map(({ id, title }) => ({ value: id, label: title }));
    return this.#answer(await prompts.select({ message: 'Which application?', options, signal: this.#signal }));
  }

  async #load(): Promise<ShownPrompts> {
    return (this.#prompts ??= await ShownPrompts.load(this.shell));
  }

  #answer<Value>(answer: Value | symbol): Value {
    // The library returns a symbol if the user cancels; answers are never symbols.
    if (typeof answer === 'symbol') throw stopped();
    return answer;
  }
}

/** As after Ctrl-C. */
export function stopped(): CliFailure {
  return endedBySignal(statusOfSignal('SIGINT'), 'SIGIL_INSTALL_STOPPED');
}
