import type { DepositRecord, DepositVoidReason } from '@ponte/contracts';
import { holderIdOf, otherPayeeIdOf } from '@ponte/contracts';
import { SAMPLE } from '../samples';
import { depositDto } from './deposit.mapper';

const sealed = (text: string): `sealed:v1:${string}` => `sealed:v1:${text}`;
const personalData = { open: async (text: string) => text.split(':').at(-1) ?? '' };

const record = (status: DepositRecord['status']): DepositRecord => ({
  id: SAMPLE.depositId,
  accountId: SAMPLE.accountId,
  type: 'pix',
  asset: 'fiat/brl',
  amount: '100.00',
  status,
  voidReason: null,
  endToEndId: SAMPLE.endToEndId,
  orderId: null,
  withdrawalId: null,
  returnedOrderId: null,
  recorded: null,
  createdAt: SAMPLE.time,
  statusUpdatedAt: SAMPLE.time,
  processedAt: null,
  coordinates: {
    sourceTaxId: sealed('11144477735'),
    sourceTaxIdFingerprint: 'f',
    sourceLegalName: sealed('Someone'),
    sourceBankCode: '12345678',
    sourceType: 'checking',
    sourceAccountNumber: sealed('987654-3'),
    sourceBranchCode: sealed('0042'),
    target: 'TXID',
  },
});

// First-party rule: a sender is known to be the holder only when its tax id is that of the account.
describe('the sender of a deposit', () => {
  it.each(['created', 'voided'] as const)(
    'is masked while the deposit is %s, because it may be a third party',
    async (status) => {
      const { coordinates } = await depositDto(record(status), personalData);
      expect(coordinates).toMatchObject({
        'source-tax-id': '***.444.777-**',
        'source-account-number': '***',
        'source-branch-code': '***',
      });
    },
  );

  it.each(['confirmed', 'credited'] as const)(
    'is shown once the deposit is %s, because it is the holder',
    async (status) => {
      const { coordinates } = await depositDto(record(status), personalData);
      expect(coordinates).toMatchObject({
        'source-tax-id': '11144477735',
        'source-account-number': '987654-3',
        'source-branch-code': '0042',
      });
    },
  );

  // A payout that the bank returned is exempt from the first-party rule: its sender is the payee.
  it.each(['confirmed', 'credited'] as const)(
    'of a returned payout is masked in a %s deposit unless the payee is the holder',
    async (status) => {
      const from = async (subject: string) => {
        const of = (text: string) => sealed(`${subject}:${text}`);
        const coordinates = {
          ...record(status).coordinates,
          sourceTaxId: of('11144477735'),
          sourceAccountNumber: of('987654-3'),
          sourceBranchCode: of('0042'),
        };
        const returned = { ...record(status), withdrawalId: SAMPLE.withdrawalId, coordinates };
        return (await depositDto(returned, personalData)).coordinates;
      };
      expect(await from(otherPayeeIdOf(SAMPLE.withdrawalId))).toMatchObject({
        'source-tax-id': '***.444.777-**',
        'source-account-number': '***',
        'source-branch-code': '***',
      });
      expect(await from(holderIdOf('f'))).toMatchObject({
        'source-tax-id': '11144477735',
        'source-account-number': '987654-3',
        'source-branch-code': '0042',
      });
    },
  );
});

describe('a deposit', () => {
  it.each([
    ['pix', 'pix'],
    ['ted', 'ted'],
  ] as const)('by %s has its method as source-type', async (type, sourceType) => {
    expect((await depositDto({ ...record('credited'), type }, personalData)).coordinates['source-type']).toBe(
      sourceType,
    );
  });

  it('has processed-at null until it is credited, and no processed-at when it never will be', async () => {
    expect((await depositDto(record('confirmed'), personalData))['processed-at']).toBeNull();
    expect(await depositDto(record('voided'), personalData)).not.toHaveProperty('processed-at');
  });
});

describe('the failure of a deposit', () => {
  it('can be retried if another payment may be accepted, as the failure of an order by brcode says', async () => {
    const retryable = async (voidReason: DepositVoidReason) =>
      (await depositDto({ ...record('voided'), voidReason }, personalData)).failure?.retryable;
    for (const reason of ['payer-tax-id-mismatch', 'amount-mismatch', 'paid-late', 'charge-closed'] as const)
      expect([reason, await retryable(reason)]).toEqual([reason, true]);
    for (const reason of ['paid-twice', 'unknown-target', 'account-not-active', 'taken-back', 'compliance'] as const)
      expect([reason, await retryable(reason)]).toEqual([reason, false]);
  });
});
