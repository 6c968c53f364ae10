import Fastify from 'fastify';
import { serveParent } from './child';

/**
 * The reference: one Fastify route that validates the same body against a schema, returns the same quote and does
 * nothing else.
 */
const QUOTE_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['source-asset', 'target-asset'],
  properties: {
    'source-asset': { type: 'string', maxLength: 32 },
    'target-asset': { type: 'string', maxLength: 32 },
    'source-amount': { type: 'string', maxLength: 40, pattern: '^\\d{1,18}(\\.\\d{1,18})?$' },
    'target-amount': { type: 'string', maxLength: 40, pattern: '^\\d{1,18}(\\.\\d{1,18})?$' },
    'trade-reason': { type: 'string', maxLength: 64 },
    'rate-lock': { type: 'string', maxLength: 32 },
  },
} as const;

const VALIDITY_MS = 900_000;

async function main(): Promise<void> {
  const app = Fastify({ logger: false });
  app.post<{ Body: Record<string, string> }>(
    '/api/v1/accounts/:account/quotes',
    { schema: { body: QUOTE_BODY } },
    async (request) => {
      const now = Date.now();
      const amount = request.body['source-amount'] ?? '0.00';
      return {
        id: '01a1fd99-1b8e-7625-9606-1f7e2784d126',
        'source-asset': request.body['source-asset'],
        'target-asset': request.body['target-asset'],
        'source-amount': amount,
        'target-amount': `${amount}0000000000000000`,
        'created-at': new Date(now).toISOString(),
        'expires-at': new Date(now + VALIDITY_MS).toISOString(),
        pricing: {
          'base-rate': { amount: '1.0000000000', base: 'BRLV', quote: 'BRL' },
          spread: { amount: '0.00', asset: 'fiat/brl', bps: 0 },
          fee: { amount: '0.00', asset: 'fiat/brl', kind: 'fixed' },
          iof: { amount: '0.00', asset: 'fiat/brl', applicable: false, 'basis-ref': 'psav-res-521-2025' },
        },
        'off-market-pricing': false,
        vet: { amount: '1.0000000000', base: 'BRLV', quote: 'BRL' },
      };
    },
  );
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  serveParent({ url }, () => app.close());
}

void main();
