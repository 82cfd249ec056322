/** The port of the page of `sigil dev`, which has a package of its own: it is found by its name, and the command runs without it as well. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestWatcher } from './child-server';
import type { DevListener } from './dev-server';
import type { QuestionWatcher } from './questions';
import type { SecondLine } from './second-line';
import type { Tap } from './tap';

/** The server under development. */
export interface InspectorTarget {
  /** Of the project. */
  readonly folder: string;
  /** Arguments for the server. */
  readonly args: readonly string[];
  /** The URL for clients; undefined on a pipe. */
  readonly address: string | undefined;
  /** The URL of the authorization server for development; undefined without one. */
  readonly issuer: string | undefined;
  /** The compiled program; undefined before the first one is built. */
  readonly program: () => string | undefined;
}

/** The page of one run. */
export interface Inspector {
  /** Notes what travels between clients and the server. */
  readonly tap: Tap;
  /** Is notified of versions and failures, and watches the requests inside of the server. */
  readonly state: DevListener & RequestWatcher;
  /** Is shown the questions to clients. */
  readonly questions: QuestionWatcher;
  /** The client of the page on a pipe. */
  readonly second: SecondLine;
  /** Answers requests below the path of the page. @returns whether this is one */
  readonly front: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Serves the page on a port of its own. @returns the port */
  listen(): Promise<number>;
  /** The URL of the page, with its key. @param port on which it is served */
  urlAt(port: number): string;
  /** Ends the streams of open pages and the clients. */
  close(): Promise<void>;
}

/** What the package exports. */
export interface InspectorPackage {
  /** Makes the page; it is served later. */
  readonly openInspector: (target: InspectorTarget) => Inspector;
}
