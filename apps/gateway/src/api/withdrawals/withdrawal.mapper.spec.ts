import type { WithdrawalRecord } from '@ponte/contracts';
import { SAMPLE } from '../samples';
import { withdrawalDto } from './withdrawal.mapper';

const sealed = (text: string): `sealed:v1:${string}` => `sealed:v1:${text}`;
const personalData = { open: async (text: string) => text.split(':').at(-1) ?? '' };

const payee = {
  legalName: sealed('Ana Duarte'),
  taxId: sealed('52998224725'),
  taxIdFingerprint: 'f',
  bankCode: '756',
  branchCode: sealed('1'),
  accountNumber: sealed('123456-7'),
};
const TARGETS = {
  pix: { method: 'pix', pixKey: sealed(SAMPLE.pixKey), payee },
  ted: { method: 'ted', payee },
  token: { method: 'token', destinationWalletAddress: SAMPLE.wallet },
} as const;

const shown = async (method: keyof typeof TARGETS, more: Partial<WithdrawalRecord>) => {
  const record: WithdrawalRecord = {
    id: SAMPLE.withdrawalId,
    accountId: SAMPLE.accountId,
    asset: method === 'token' ? 'eth-base/usdc' : 'fiat/brl',
    amount: '100.00',
    method,
    state: 'created',
    stateUpdatedAt: SAMPLE.time,
    createdAt: SAMPLE.time,
    createdBy: SAMPLE.parentId,
    createdByApiKey: SAMPLE.keyId,
    externalId: null,
    orderId: null,
    scheduledFor: null,
    target: TARGETS[method],
    endToEndId: null,
    txHash: null,
    failure: null,
    ...more,
  };
  return withdrawalDto(record, personalData);
};

const failure = { code: 'payment-rejected', message: 'The bank rejected it.', retryable: false };

describe.each([
  ['pix', 'end-to-end-id', { endToEndId: SAMPLE.endToEndId }, SAMPLE.endToEndId, 'tx-hash'],
  ['ted', 'end-to-end-id', { endToEndId: SAMPLE.endToEndId }, SAMPLE.endToEndId, 'tx-hash'],
  ['token', 'tx-hash', { txHash: SAMPLE.txHash }, SAMPLE.txHash, 'end-to-end-id'],
] as const)('a withdrawal with method %s', (method, field, known, id, other) => {
  it.each(['created', 'processing'] as const)(`has a null ${field} while it is %s and has none yet`, async (state) => {
    expect(await shown(method, { state })).toMatchObject({ [field]: null });
  });

  it(`has its ${field} once that is known`, async () => {
    expect(await shown(method, { state: 'completed', ...known })).toMatchObject({ [field]: id });
  });

  it(`has no ${field} if it was rolled back without one`, async () => {
    expect(await shown(method, { state: 'rolled-back', failure })).not.toHaveProperty(field);
  });

  it(`never has ${other}`, async () => {
    expect(await shown(method, { state: 'completed', ...known })).not.toHaveProperty(other);
  });
});

it('a token withdrawal that was rolled back after it was sent keeps its tx-hash', async () => {
  const rolledBack = await shown('token', { state: 'rolled-back', txHash: SAMPLE.txHash, failure });
  expect(rolledBack).toMatchObject({ 'tx-hash': SAMPLE.txHash });
});
