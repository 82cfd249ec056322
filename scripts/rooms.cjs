/**
 * The order of the rooms: `packages/<name>/rooms.json` lists the folders (or single files) of a source folder from the
 * ground floor up, each with what it is for. A room imports only from rooms that stand before it, types included.
 * `.dependency-cruiser.cjs` enforces it, and `docs/architecture.md` is drawn from it.
 */
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Every source folder whose rooms have an order: `{ folder: 'packages/core/src', rooms: [{ room, holds }] }`. */
function orderedFolders(root) {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const file = join(root, 'packages', name, 'rooms.json');
    if (!existsSync(file)) return [];
    const folders = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
    return folders.map(([folder, rooms]) => ({ folder: `packages/${name}/${folder}`, rooms }));
  });
}

/** The forbidden edges of one folder, as dependency-cruiser wants them: from each room to every room above it. */
function rulesOf({ folder, rooms }) {
  const pathOf = ({ room }) => `^${escape(folder)}/${escape(room)}${room.endsWith('.ts') ? '$' : '/'}`;
  return rooms.slice(0, -1).map((room, index) => ({
    name: `order-of-${folder}/${room.room}`,
    comment: `${room.room} (${room.holds}) imports only from rooms below it; see rooms.json.`,
    severity: 'error',
    from: { path: pathOf(room) },
    to: { path: rooms.slice(index + 1).map(pathOf) },
  }));
}

module.exports = { orderedFolders, rulesOf };
