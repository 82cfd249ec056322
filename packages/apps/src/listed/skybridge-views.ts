/**
 * The second resource of each view, in the dialect that ChatGPT had before MCP Apps. Its contents and its rights are those of the view. It is a
 * template, because all resources in the list of resources with the scheme ui: must be of the type of MCP Apps.
 */
import {
  createFact,
  resource,
  type Access,
  type Constructor,
  type EntryFacts,
  type ExtensionServices,
  type FeatureData,
  type Guard,
  type ResourceData,
} from '@sigil-mcp/core';
import { VIEW, type DeclaredView } from '../declared/view-fact';
import { APPS } from '../names';
import { SKYBRIDGE_TYPE, skybridgeUri, skybridgeViewMeta } from './chatgpt';

/** What a second resource repeats, and who may read it. */
export interface RepeatedView {
  readonly view: DeclaredView;
  readonly rights: SameRights;
}

/** The view that a resource repeats. */
export const REPEATS = createFact<RepeatedView>({ label: 'A second resource of a view', extension: APPS });

/** The resource that repeats a view. @param name of the view */
function skybridgeView(view: DeclaredView, name: string, rights: SameRights): ResourceData {
  const { title, description, icons } = view.options;
  return resource(
    `${skybridgeUri(view.uri)}{?v}`,
    {
      name,
      mimeType: SKYBRIDGE_TYPE,
      meta: skybridgeViewMeta(view.options),
      facts: [REPEATS.with({ view, rights })],
      guards: [rights],
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(icons && { icons }),
    },
    () => '',
  );
}

/** What a server is defined with. */
interface ServerClasses {
  readonly classes: readonly Constructor[];
  readonly data: readonly FeatureData[];
}

/** The second resources of all views of a definition. */
export function skybridgeViewsOf({ classes, data }: ServerClasses, rights: SameRights): readonly ResourceData[] {
  const ofClasses = classes.flatMap((feature) =>
    [...VIEW.ofMembers(feature)].flatMap(([member, views]) =>
      views.map((view) => skybridgeView(view, view.options.name ?? member, rights)),
    ),
  );
  const ofData = data.flatMap((each) =>
    (each.facts ?? []).flatMap(({ fact, value }) =>
      // Only this fact writes values under itself.
      fact === VIEW ? [skybridgeView(value as DeclaredView, each.name, rights)] : [],
    ),
  );
  return [...ofClasses, ...ofData];
}

/** Allows those whom the view itself allows: one for the second resources of one server. */
export class SameRights implements Guard {
  /** What the server gives to the extension; undefined before its start, when nobody calls. */
  services: ExtensionServices | undefined;

  allows(access: Access, entry: EntryFacts): ReturnType<ExtensionServices['allows']> {
    const repeated = REPEATS.of(entry);
    const original = repeated && this.services?.entries.find('resource', repeated.view.uri);
    return this.services !== undefined && original !== undefined && this.services.allows(access, original);
  }
}

/** Called when a server has started: its second resources ask for the rights of its own views. */
export function openRights(services: ExtensionServices): void {
  for (const entry of services.entries.all('resource-template')) {
    const repeated = REPEATS.of(entry);
    if (repeated) repeated.rights.services = services;
  }
}
