/** What the elements of a page load, by their attributes. */
import type { LoadKind } from './page';

/** Element and attribute -> the list of the policy that must name the address. */
const LOADS: Readonly<Record<string, Readonly<Record<string, LoadKind>>>> = {
  // `href` in SVG.
  script: { src: 'resource', href: 'resource' },
  img: { src: 'resource', srcset: 'resource' },
  source: { src: 'resource', srcset: 'resource' },
  video: { src: 'resource', poster: 'resource' },
  audio: { src: 'resource' },
  track: { src: 'resource' },
  input: { src: 'resource' },
  image: { href: 'resource' },
  use: { href: 'resource' },
  feimage: { href: 'resource' },
  iframe: { src: 'frame' },
  base: { href: 'base' },
  // Hosts have no list for plugins, and block them by default.
  object: { data: 'never' },
  embed: { src: 'never' },
};
/** Links that browsers load; others lead somewhere, or only prepare a connection. */
const LOADED_LINK = /(?:^|\s)(?:stylesheet|icon|apple-touch-icon|preload|modulepreload)(?:\s|$)/i;

/** The directive for an attribute of an element; undefined if browsers load nothing for it. @param rel of a link */
export function kindOfAttribute(element: string, attribute: string, rel: string): LoadKind | undefined {
  if (element === 'link')
    return (attribute === 'href' || attribute === 'imagesrcset') && LOADED_LINK.test(rel) ? 'resource' : undefined;
  const attributes = Object.hasOwn(LOADS, element.toLowerCase()) ? LOADS[element.toLowerCase()] : undefined;
  return attributes && Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
}

/** The addresses in an attribute: `srcset` has several, each with a size. */
export function addressesOf(attribute: string, value: string): readonly string[] {
  if (!attribute.endsWith('srcset')) return [value.trim()];
  return [...value.matchAll(/([^\s,]\S*)(?:(?<=,)|[^,]*)/g)].map(([, address = '']) =>
    address.replace(/(?<!,),+$/, ''),
  );
}
