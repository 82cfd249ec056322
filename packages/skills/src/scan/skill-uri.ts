/**
 * The URIs of skills and their files: `skill://<path of the skill>/<path of the file>`.
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx (Resource Mapping)
 */

/** What RFC 3986 allows in a segment of a path, and `encodeURIComponent` encodes. */
const ALLOWED = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

/** The URI of a path; undefined if clients would normalise it to another one. */
export function skillUri(segments: readonly string[]): string | undefined {
  const [authority = '', ...path] = segments;
  const uri = `skill://${[encodeURIComponent(authority), ...path.map(encodeSegment)].join('/')}`;
  return isCanonical(uri) ? uri : undefined;
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll(ALLOWED, (encoded) => decodeURIComponent(encoded));
}

function isCanonical(uri: string): boolean {
  return URL.canParse(uri) && new URL(uri).href === uri;
}
