/**
 * The order of the source folders: `packages/<name>/rooms.json` lists the folders (or single files) of a source folder from the
 * lowest layer up, each with its content. A room imports only from rooms before it, types included.
 * `.dependency-cruiser.cjs` enforces this, and `docs/architecture.md` shows it.
 */
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Every source folder with an order of rooms: `{ folder: 'packages/core/src', rooms: [{ room, holds }] }`. */
function orderedFolders(root) {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const file = join(root, 'packages', name, 'rooms.json');
    if (!existsSync(file)) return [];
    const folders = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
    return folders.map(([folder, rooms]) => ({ folder: `packages/${name}/${folder}`, rooms }));
  });
}

/** The forbidden imports of one folder for dependency-cruiser: from each room to every room above it. */
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
