/**
 * The prompts at a terminal, which draw with control sequences. Their texts, most of which come from a server, are made visible
 * first.
 */
import type * as Clack from '@clack/prompts';
import { wrapText } from '../terminal/wrap-text';
import type { Input, Output, Shell } from '../terminal/shell';
import { visible } from '@sigil-mcp/base';

/** One of several values, with its label. */
export interface Option<Value> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** The common options of all prompts: the question, its streams, and the signal that removes it. */
interface ShownQuestion {
  readonly message: string;
  readonly signal: AbortSignal;
}

/** The prompts of one command. */
export class ShownPrompts {
  constructor(
    private readonly clack: typeof Clack,
    private readonly shell: Pick<Shell, 'stdin' | 'stderr'>,
  ) {}

  /** Loads the library that draws them. */
  static async load(shell: Pick<Shell, 'stdin' | 'stderr'>): Promise<ShownPrompts> {
    return new ShownPrompts(await import('@clack/prompts'), shell);
  }

  /** Whether the user pressed Escape or Ctrl-C instead of answering. */
  isCancel(answer: unknown): answer is symbol {
    return this.clack.isCancel(answer);
  }

  /** Shows a text in a frame. */
  note(text: string, title: string): void {
    const { stderr: output } = this.shell;
    const width = Math.max(20, (output.columns || 80) - 8);
    this.clack.note(wrapText(visible(text), width).join('\n'), title, { output });
  }

  confirm({ initialValue, ...asked }: ShownQuestion & { initialValue: boolean }): Promise<boolean | symbol> {
    return this.clack.confirm({ ...this.#shown(asked), initialValue });
  }

  select<Value extends string>(
    asked: ShownQuestion & { readonly options: readonly Option<Value>[]; readonly initialValue?: Value },
  ): Promise<Value | symbol> {
    const { options, initialValue, ...rest } = asked;
    const initial = initialValue === undefined ? {} : { initialValue };
    return this.clack.select<string>({
      ...this.#shown(rest),
      options: options.map(shownOption),
      ...initial,
    }) as Promise<
      Value | symbol // one of the given values
    >;
  }

  multiselect(
    asked: ShownQuestion & {
      readonly options: readonly Option<string>[];
      readonly initialValues: string[];
      readonly required: boolean;
    },
  ): Promise<string[] | symbol> {
    const { options, initialValues, required, ...rest } = asked;
    return this.clack.multiselect<string>({
      ...this.#shown(rest),
      options: options.map(shownOption),
      initialValues,
      required,
    });
  }

  /** Asks for a secret, which is not shown. */
  password(asked: ShownQuestion): Promise<string | symbol> {
    return this.clack.password(this.#shown(asked));
  }

  /** @param asked with an initial answer, which is dropped if it contains characters that cannot be typed */
  text(
    asked: ShownQuestion & {
      readonly initialValue?: string;
      readonly validate?: (text: string | undefined) => string | undefined;
    },
  ): Promise<string | symbol> {
    const { initialValue = '', validate = () => undefined, ...rest } = asked;
    return this.clack.text({
      ...this.#shown(rest),
      initialValue: visible(initialValue) === initialValue ? initialValue : '',
      validate: (text) => {
        const problem = validate(text);
        return problem === undefined ? undefined : visible(problem);
      },
    });
  }

  #shown({ message, signal }: ShownQuestion): ShownQuestion & { readonly input: Input; readonly output: Output } {
    const { stdin: input, stderr: output } = this.shell;
    return { message: visible(message), signal, input, output };
  }
}

function shownOption<Value>({ value, label, hint }: Option<Value>): { value: Value; label: string; hint?: string } {
  return { value, label: visible(label), ...(hint !== undefined && { hint }) };
}
