import fastify from 'fastify';
import { ASSET_IDS } from '@ponte/kernel';
import { quoteDto } from '../src/api/quotes/quotes.controller';
import { quoteRecord } from '../src/testing/records/records';

const BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['source-asset', 'target-asset'],
  properties: {
    'source-asset': { type: 'string', enum: [...ASSET_IDS] },
    'target-asset': { type: 'string', enum: [...ASSET_IDS] },
    'source-amount': { type: 'string', pattern: '^\\d{1,18}(\\.\\d{1,18})?$' },
    'target-amount': { type: 'string' },
    'trade-reason': { type: 'string' },
    'rate-lock': { type: 'string' },
  },
};

/** The yardstick: one Fastify route that validates the same body by a schema and answers the same quote. */
export async function startBare(): Promise<number> {
  const server = fastify({ logger: false });
  server.post('/api/v1/accounts/:accountId/quotes', { schema: { body: BODY } }, async () => quoteDto(quoteRecord()));
  await server.listen({ port: 0, host: '127.0.0.1' });
  const address = server.server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
