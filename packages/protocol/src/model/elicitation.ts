/** Asking the user through the client: a form, or a page under a URL. */
import type { FormSchema } from '@sigil-mcp/base';
import type { JsonObject } from '../jsonrpc/message';

export type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  FormField,
  FormSchema,
  NumberField,
  TextField,
  TitledValue,
} from '@sigil-mcp/base';

/** Parameters of `elicitation/create` with a form. */
export interface ElicitFormParams {
  readonly mode: 'form';
  readonly message: string;
  readonly requestedSchema: FormSchema;
}

/** Parameters of `elicitation/create` with a page that the user opens. */
export interface ElicitUrlParams {
  readonly mode: 'url';
  readonly message: string;
  readonly url: string;
  /** Written only where the revision has it. */
  readonly elicitationId: string;
}

/** Parameters of `elicitation/create`. */
export type ElicitParams = ElicitFormParams | ElicitUrlParams;

/** What a user can do with a question. */
export const ELICIT_ACTIONS = ['accept', 'decline', 'cancel'] as const;

/** Result of `elicitation/create`. */
export interface ElicitResult {
  readonly action: (typeof ELICIT_ACTIONS)[number];
  /** As it came, not yet compared with the form; only with `accept`, and only of a form. */
  readonly content?: JsonObject;
}
