/**
 * The order of the source folders: `scripts/rooms.json` lists the folders (or single files) of each source folder from the lowest layer
 * up, each with what it holds. A room imports only from rooms before it, types included. `.dependency-cruiser.cjs` enforces this.
 */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Every source folder with an order of rooms: `{ folder: 'packages/core/src', rooms: [{ room, holds }] }`. */
function orderedFolders(root) {
  const folders = JSON.parse(readFileSync(join(root, 'scripts', 'rooms.json'), 'utf8'));
  return Object.entries(folders).map(([folder, rooms]) => ({
    folder,
    rooms: Object.entries(rooms).map(([room, holds]) => ({ room, holds })),
  }));
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
