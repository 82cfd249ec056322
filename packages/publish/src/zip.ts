/**
 * Zip archives with the same bytes for the same files: names in order, no dates of this machine.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** Files by their paths, with slashes. */
export type ArchivedFiles = ReadonlyMap<string, Uint8Array>;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;
/** Version 2.0, with deflate. */
const VERSION = 20;
const UNIX_VERSION = (3 << 8) | VERSION;
const UTF8 = 1 << 11;
const DEFLATED = 8;
/** 1980-01-01, the first day of the format. */
const DATE = (1 << 5) | 1;
/** An ordinary file, which everybody may read. */
const FILE = 0o100644;

/** The bytes of an archive. */
export function zip(files: ArchivedFiles): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const name of [...files.keys()].sort()) {
    const content = files.get(name) ?? new Uint8Array();
    const path = Buffer.from(name);
    const data = deflateRawSync(content, { level: 9 });
    const common = commonHeader({ content, data, path });
    const local = Buffer.alloc(LOCAL_SIZE);
    local.writeUInt32LE(LOCAL, 0);
    common.copy(local, 4);
    const central = Buffer.alloc(CENTRAL_SIZE);
    central.writeUInt32LE(CENTRAL, 0);
    central.writeUInt16LE(UNIX_VERSION, 4);
    common.copy(central, 6);
    central.writeUInt32LE((FILE << 16) >>> 0, 38);
    central.writeUInt32LE(offset, 42);
    parts.push(local, path, data);
    directory.push(central, path);
    offset += LOCAL_SIZE + path.length + data.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(END_SIZE);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

/** The files of an archive that `zip` has made. */
export function unzip(archive: Buffer): ArchivedFiles {
  const files = new Map<string, Uint8Array>();
  const end = archive.length - END_SIZE;
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    const size = archive.readUInt32LE(at + 20);
    const length = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + CENTRAL_SIZE, at + CENTRAL_SIZE + length);
    const start = archive.readUInt32LE(at + 42) + LOCAL_SIZE + length;
    files.set(name, inflateRawSync(archive.subarray(start, start + size)));
    at += CENTRAL_SIZE + length;
  }
  return files;
}

interface ZipEntry {
  readonly content: Uint8Array;
  readonly data: Buffer;
  readonly path: Buffer;
}

/** The fields that both headers of a file have, in the same order. */
function commonHeader({ content, data, path }: ZipEntry): Buffer {
  const header = Buffer.alloc(LOCAL_SIZE - 4);
  header.writeUInt16LE(VERSION, 0);
  header.writeUInt16LE(UTF8, 2);
  header.writeUInt16LE(DEFLATED, 4);
  header.writeUInt16LE(DATE, 8);
  header.writeUInt32LE(crc32(content), 10);
  header.writeUInt32LE(data.length, 14);
  header.writeUInt32LE(content.length, 18);
  header.writeUInt16LE(path.length, 22);
  return header;
}
