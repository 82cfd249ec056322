// #region http
import { HttpTransport } from '@sigil-mcp/fastify';
import { jwt } from '@sigil-mcp/oauth';
import { server } from './server';

const auth = jwt({
  issuer: process.env['ISSUER'] ?? 'https://id.example.com', // the authorization server
  resource: process.env['RESOURCE'] ?? 'https://mcp.example.com/mcp', // the URL of this server
  scopes: ['orders:read'], // what clients ask for at sign-in
});
// Serves /mcp on PORT (3000). Leave `auth` out for a server that is open to everybody who can reach it.
void server.listen(new HttpTransport({ auth }));
// #endregion http
