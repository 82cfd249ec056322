// #region main
import { HttpTransport } from '@sigil-mcp/fastify';
import { jwt } from '@sigil-mcp/oauth';
import { server } from './server';

const auth = jwt({ issuer: 'https://id.example.com', resource: 'https://mcp.example.com/mcp' });
void server.listen(new HttpTransport({ auth }));
// #endregion main
