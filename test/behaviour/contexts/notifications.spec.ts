/** What one user changes is told to others outside of the request that changes it: their guards see nothing of it. */
import {
  createServer,
  Feature,
  Resource,
  Tool,
  tool,
  UseGuards,
  type Extension,
  type ExtensionServices,
  type Guard,
  type Server,
} from '@sigil-mcp/core';
import type { TestClient } from '@sigil-mcp/testing';
import { until } from '../../support/until';
import { PROGRAM, serve, user, type Served } from './requests-of-users';

const URI = 'notes://shared';
const seen: string[] = [];

/** A guard that reads the user of the request, as those do that know nothing of MCP. */
const ambientGuard: Guard = {
  dependsOn: 'rights',
  allows() {
    seen.push(user());
    return true;
  },
};

let server: Server;
let served: Served;
let services: ExtensionServices;

@Feature()
class Notes {
  @Resource(URI, { description: 'The notes' })
  @UseGuards(ambientGuard)
  notes(): string {
    return 'notes';
  }

  @Tool('Changes the notes')
  change(): string {
    server.notifyResourceChanged(URI);
    return user();
  }

  @Tool('Changes the list')
  add(): string {
    const added = tool('added', { description: 'Added', guards: [ambientGuard] }, () => 'ok');
    server.registry.add(added);
    return user();
  }

  @Tool('Announces')
  announce(): string {
    services.notify(SAID, { words: 'hello' });
    return user();
  }
}

const same = (value: object): never => value as never;
const SAID = {
  method: 'notifications/com.example/said',
  compile: () => ({ readParams: same, writeParams: same }),
};
const EXTENSION: Extension = {
  name: 'com.example/said',
  protocol: {
    serverNotifications: [SAID],
    listenFields: [
      {
        name: 'said',
        read: (value) => value,
        covers() {
          seen.push(user());
          return true;
        },
      },
    ],
  },
  start: (given) => (services = given),
};

async function listening(): Promise<{ ada: TestClient; eve: TestClient }> {
  const definition = {
    name: 'notes',
    version: '1.0.0',
    logger: false,
    features: [Notes],
    extensions: [EXTENSION],
  } as const;
  server = createServer(definition);
  served = await serve(server);
  const capabilities = { extensions: { [EXTENSION.name]: {} } };
  const [ada, eve] = [await served.meet('ada', { capabilities }), await served.meet('eve', { capabilities })];
  const notifications = { toolsListChanged: true, resourceSubscriptions: [URI], said: true };
  eve.request('subscriptions/listen', { notifications }).catch(() => undefined);
  await eve.waitForNotification('notifications/subscriptions/acknowledged');
  seen.splice(0);
  return { ada, eve };
}

it.each([
  ['change', 'notifications/resources/updated'],
  ['add', 'notifications/tools/list_changed'],
  ['announce', SAID.method],
] as const)('%s is told outside of the request', async (name, notification) => {
  const { ada, eve } = await listening();
  expect(await ada.callTool(name, {})).toMatchObject({ content: [{ text: 'ada' }] });
  await until(() => eve.notifications(notification).length > 0);
  expect(seen.length).toBeGreaterThan(0);
  expect([...new Set(seen)]).toEqual([PROGRAM]);
  await served.close();
});
