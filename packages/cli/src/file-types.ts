/** The media types of files, and the endings of their names. */

/** Media types by the endings of names; the first ending of a type is the usual one. */
export const FILE_TYPES: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ svg: 'image/svg+xml', pdf: 'application/pdf', txt: 'text/plain', csv: 'text/csv', md: 'text/markdown' },
  ...{ html: 'text/html', json: 'application/json', xml: 'application/xml', yaml: 'application/yaml' },
  ...{ zip: 'application/zip', gz: 'application/gzip', mp3: 'audio/mpeg', wav: 'audio/wav', mp4: 'video/mp4' },
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** The usual ending of a type; undefined for one that is not among them. */
export function endingOf(type: string): string | undefined {
  return Object.entries(FILE_TYPES).find(([, each]) => each === type)?.[0];
}
