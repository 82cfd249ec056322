/** Resources, their templates and their contents. */
import type { Annotations, CacheHints, Icon, Meta, Page } from './metadata';

/** Something that can be read under a URI. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, before any encoding. */
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** Many resources under an RFC 6570 template. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** One piece of what is under a URI: text, or a base64 blob. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: Meta;
}

/** Parameters of `resources/read`, `resources/subscribe` and `resources/unsubscribe`. */
export interface ResourceUriParams {
  readonly uri: string;
}

/** Result of `resources/list`. */
export interface ListResourcesResult extends Page, Partial<CacheHints> {
  readonly resources: readonly Resource[];
  readonly _meta?: Meta;
}

/** Result of `resources/templates/list`. */
export interface ListResourceTemplatesResult extends Page, Partial<CacheHints> {
  readonly resourceTemplates: readonly ResourceTemplate[];
  readonly _meta?: Meta;
}

/** Result of `resources/read`. */
export interface ReadResourceResult extends Partial<CacheHints> {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: Meta;
}
