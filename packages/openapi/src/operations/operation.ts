/** What a document says about one operation, with its references followed. */
import type { LooseObject } from '@sigil-mcp/cli/kit';
import type { Needed } from './read-security';

/** Where a parameter is sent. */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/** How a parameter is written. @see https://spec.openapis.org/oas/v3.1.0#style-values */
export type Style = 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json';

/** One parameter of an operation. */
export interface Parameter {
  /** As the API has it. */
  readonly name: string;
  readonly place: ParameterPlace;
  readonly required: boolean;
  readonly description: string;
  readonly schema: unknown;
  readonly style: Style;
  readonly explode: boolean;
}

/** How a body is written. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'bytes';

/** How a property of a form is written; the default of forms if left out. */
export interface FormStyle {
  readonly style: Style;
  readonly explode: boolean;
}

/** The body of a request. */
export interface Body {
  readonly kind: BodyKind;
  readonly mediaType: string;
  /** Undefined if the document does not say it. */
  readonly required: boolean | undefined;
  readonly description: string;
  readonly schema: unknown;
  readonly styles: ReadonlyMap<string, FormStyle>;
  /** Media types of parts, by the member: one or several, with commas. */
  readonly contentTypes: ReadonlyMap<string, string>;
}

/** What an operation answers if all goes well. */
export interface SuccessAnswer {
  readonly kind: 'json' | 'text' | 'bytes' | 'location' | 'none';
  readonly mediaType: string;
  readonly schema: unknown;
}

/** One operation. */
export interface ApiOperation {
  /** `GET /pets/{id}`: what identifies it in a document. */
  readonly key: string;
  /** In capital letters. */
  readonly method: string;
  readonly path: string;
  readonly id: string | undefined;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  readonly answer: SuccessAnswer;
  /** The credentials that it needs; undefined if the document does not say it. */
  readonly security: Needed | undefined;
  /** As it stands in the document, with the parameters of its path. */
  readonly source: LooseObject;
}

/** An operation that cannot be a tool. */
export interface LeftOperation {
  readonly operation: ApiOperation;
  readonly reason: string;
}

/** Something that the tools cannot say as the document does, for the report. */
export interface Remark {
  /** The key of the operation; undefined if it concerns the whole document. */
  readonly operation: string | undefined;
  readonly text: string;
}

/** Takes remarks. */
export type Note = (operation: string | undefined, text: string) => void;
