/** Questions at a terminal: on stderr, so that stdout contains only the result. */
import { describeType } from '../arguments/describe-type';
import { problemWith, type FieldValue, type ShownField } from './form';
import { noServer } from '../failure';
import { openInBrowser } from './open-in-browser';
import { ShownPrompts, type Option } from './shown-prompts';
import type { Shell } from '../terminal/shell';

/** Thrown if the user pressed Ctrl-C instead of answering. */
export class Abandoned extends Error {}

/** Thrown if the user pressed Escape. */
class Escaped extends Error {}

/** The two ways not to answer a question. */
export type NoAnswer = 'decline' | 'cancel';

/** The value for an optional choice that stays empty; values of a server do not contain this character. */
const NOTHING = '\u0000nothing';

/** The questions of one command to the user at its terminal. */
export class TerminalQuestions {
  constructor(
    private readonly shell: Shell,
    private readonly signal: AbortSignal,
  ) {}

  /** Asks for each field of a form that has no value yet. @returns the values, or how the user refused */
  async form(
    message: string,
    fields: readonly ShownField[],
    known: Readonly<Record<string, FieldValue>>,
  ): Promise<Record<string, FieldValue> | NoAnswer> {
    const prompts = await ShownPrompts.load(this.shell);
    prompts.note(message, 'The server asks');
    const unknown = fields.filter(({ name }) => !(name in known));
    return unlessEscaped(this.#fields(prompts, unknown), () => this.#refuse(prompts));
  }

  /** Asks for arguments. @returns undefined if the user presses Escape */
  async fill(fields: readonly ShownField[]): Promise<Record<string, FieldValue> | undefined> {
    return unlessEscaped(this.#fields(await ShownPrompts.load(this.shell), fields), () => undefined);
  }

  /** Shows an address, and asks whether the user has opened it. */
  async address(message: string, address: string): Promise<'accept' | NoAnswer> {
    const prompts = await ShownPrompts.load(this.shell);
    prompts.note(`${message}\n${address}`, 'The server asks you to open an address');
    const options = [
      { value: 'accept' as const, label: 'I opened it' },
      { value: 'decline' as const, label: 'Decline' },
      { value: 'cancel' as const, label: 'Cancel' },
    ];
    return this.#choose(prompts, { message: 'Open it in a browser.', options, escaped: 'cancel' });
  }

  /** Shows the address of a sign-in, and opens it. @throws CliFailure if the user refuses */
  async signIn(address: URL): Promise<void> {
    if (!/^https?:$/.test(address.protocol)) throw noServer('SIGIL_CLI_SIGN_IN_ADDRESS', { address: address.href });
    const prompts = await ShownPrompts.load(this.shell);
    prompts.note(address.href, `The server requires you to sign in at ${address.host}`);
    const options = [
      { value: 'open' as const, label: 'Open the browser' },
      { value: 'self' as const, label: 'I open that address myself' },
      { value: 'no' as const, label: 'Do not sign in' },
    ];
    const answer = await this.#choose(prompts, { message: 'Sign in?', options, escaped: 'no' });
    if (answer === 'no') throw noServer('SIGIL_CLI_NOT_SIGNED_IN');
    if (answer === 'open') await openInBrowser(address);
  }

  /** Shows a question for a model, and asks for its answer. @returns nothing if the user declines */
  async sampling(text: string): Promise<string | undefined> {
    const prompts = await ShownPrompts.load(this.shell);
    prompts.note(text, 'The server asks a model');
    const message = 'What does the model answer? (Esc declines)';
    return unlessEscaped(this.#ask(prompts, prompts.text({ signal: this.signal, message })), () => undefined);
  }

  async #fields(prompts: ShownPrompts, fields: readonly ShownField[]): Promise<Record<string, FieldValue>> {
    const content: Record<string, FieldValue> = {};
    for (const field of fields) {
      const value = await this.#field(prompts, field);
      if (value !== undefined) content[field.name] = value;
    }
    return content;
  }

  async #field(prompts: ShownPrompts, field: ShownField): Promise<FieldValue | undefined> {
    const message = titleOf(field);
    const common = { signal: this.signal, message };
    if (field.kind === 'boolean') {
      return this.#ask(prompts, prompts.confirm({ ...common, initialValue: field.default === true }));
    }
    if (field.kind === 'one') return this.#choice(prompts, field);
    if (field.kind === 'many') {
      const initialValues = Array.isArray(field.default) ? field.default : [];
      const { choices: options, required } = field;
      return this.#ask(prompts, prompts.multiselect({ ...common, options, initialValues, required }));
    }
    const initialValue = field.default === undefined ? '' : String(field.default);
    const validate = (text: string | undefined): string | undefined => problemWith(field, text ?? '');
    const text = await this.#ask(prompts, prompts.text({ ...common, initialValue, validate }));
    if (text === '' && !field.required) return undefined;
    return field.kind === 'text' || field.kind === 'value' ? text : Number(text);
  }

  async #choice(prompts: ShownPrompts, field: ShownField): Promise<string | undefined> {
    const none = field.required ? [] : [{ value: NOTHING, label: 'leave it empty' }];
    const options = [...field.choices, ...none];
    const initial = typeof field.default === 'string' ? { initialValue: field.default } : {};
    const asked = prompts.select<string>({ signal: this.signal, message: titleOf(field), options, ...initial });
    const value = await this.#ask(prompts, asked);
    return value === NOTHING ? undefined : value;
  }

  async #refuse(prompts: ShownPrompts): Promise<NoAnswer> {
    const options = [
      { value: 'decline' as const, label: 'Decline', hint: 'the answer is no' },
      { value: 'cancel' as const, label: 'Cancel', hint: 'not now' },
    ];
    return this.#choose(prompts, { message: 'Decline or cancel?', options, escaped: 'cancel' });
  }

  /** @returns the chosen value, or the one for Escape */
  #choose<Value extends string>(
    prompts: ShownPrompts,
    { message, options, escaped }: { message: string; options: readonly Option<Value>[]; escaped: Value },
  ): Promise<Value> {
    const asked = prompts.select({ signal: this.signal, message, options });
    return unlessEscaped(this.#ask(prompts, asked), () => escaped);
  }

  /** Distinguishes Escape from Ctrl-C, which the library treats the same. */
  async #ask<Value>(prompts: ShownPrompts, asked: Promise<Value>): Promise<Exclude<Value, symbol>> {
    let isInterrupt = false;
    const listen = (_: unknown, key: { ctrl?: boolean; name?: string } | undefined): void => {
      isInterrupt = key?.ctrl === true && key.name === 'c';
    };
    this.shell.stdin.on('keypress', listen);
    try {
      const value = await asked;
      // The only symbol that the library returns is the one for "cancelled".
      if (!prompts.isCancel(value)) return value as Exclude<Value, symbol>;
      throw isInterrupt || this.signal.aborted ? new Abandoned() : new Escaped();
    } finally {
      this.shell.stdin.off('keypress', listen);
    }
  }
}

/** The answer; another one if the user pressed Escape. */
function unlessEscaped<Answer, Other>(
  asked: Promise<Answer>,
  other: () => Other | Promise<Other>,
): Promise<Answer | Other> {
  return asked.catch((error: unknown) => {
    if (error instanceof Escaped) return other();
    throw error;
  });
}

function titleOf({ title, description, required, constraints, kind, view }: ShownField): string {
  const types: Partial<Record<ShownField['kind'], string>> = { integer: 'a whole number', number: 'a number' };
  const type = kind === 'value' ? describeType(view) : types[kind];
  const notes = [...(type === undefined ? [] : [type]), ...constraints, ...(required ? [] : ['optional'])];
  const about = description === undefined ? '' : `: ${description}`;
  return `${title}${about}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}
