import { operationIn, textOfOperation } from './operation-help';

const DOCUMENT = {
  paths: {
    '/api/v1/accounts/{account-id}/wallets': {
      post: {
        operationId: 'create-wallet',
        summary: 'Create a wallet',
        parameters: [{ name: 'account-id', in: 'path', required: true, description: 'Id of the account' }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateWalletDto' } } } },
        responses: { '200': {}, '422': { description: '`limit-exceeded`, `account-not-active`' } },
      },
    },
  },
  components: {
    schemas: {
      CreateWalletDto: {
        required: ['chain'],
        properties: {
          chain: { description: 'Chain', enum: ['eth-base', 'tempo'] },
          metadata: { description: 'Yours', enum: ['a', null] },
        },
      },
    },
  },
};

describe('the description of an operation', () => {
  it('has its parameters, body fields and error codes', () => {
    const described = operationIn(DOCUMENT, 'create-wallet');
    expect(described && textOfOperation(described)).toBe(
      [
        'Create a wallet',
        'POST /api/v1/accounts/{account-id}/wallets',
        '',
        'Parameters:',
        '  account-id (path)  required; Id of the account',
        '',
        'Body fields:',
        '  chain     required; Chain; one of eth-base, tempo',
        '  metadata  optional; Yours; one of a',
        '',
        'Errors:',
        '  422  limit-exceeded, account-not-active',
      ].join('\n'),
    );
  });

  it('is undefined for an unknown operation', () => expect(operationIn(DOCUMENT, 'none')).toBeUndefined());
});
