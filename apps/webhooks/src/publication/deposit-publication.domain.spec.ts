import { DepositConfirmed, DepositCreated, DepositCredited, DepositReturned, DepositVoided } from '@ponte/contracts';
import { MASKED } from './deposit-payloads.domain';
import { AT, coordinates, deposit, depositCreated, voided, published, summaries, payload } from './published.testing';

const credited = new DepositCredited({ ...deposit, accountId: 'child', processedAt: AT, coordinates });

describe('the webhooks of a deposit', () => {
  it('report a credited deposit that the bank took back as voided, with the reason and the sender masked', () => {
    const taken = new DepositVoided({
      ...deposit,
      accountId: 'child',
      voidedAt: AT,
      reason: 'taken-back',
      returnId: null,
    });
    const confirmed = new DepositConfirmed({ depositId: deposit.depositId, accountId: 'child', confirmedAt: AT });
    const found = published('deposit-d', depositCreated('child'), confirmed, credited, taken);
    expect(summaries(found)).toEqual([
      ['child', 'deposit-processed', 1, 'confirmed'],
      ['partner', 'deposit-processed', 1, 'confirmed'],
      ['child', 'deposit-voided', 2, 'credited'],
      ['partner', 'deposit-voided', 2, 'credited'],
    ]);
    expect(payload(found, 'deposit-voided')).toMatchObject({
      status: 'voided',
      reason: 'taken-back',
      'source-legal-name': MASKED,
      'source-account-number': MASKED,
    });
  });

  it('report the addresses of a token deposit and no bank fields', () => {
    const tokens = { ...deposit, type: 'token', asset: 'eth-base/brlv', amount: '1.000000000000000000' } as const;
    const from = {
      sourceChain: 'eth-base',
      sourceAddress: '0x1',
      targetAddress: '0x2',
      txHash: '0xa',
      movementId: 't',
    } as const;
    const reported = published(
      'deposit-d',
      new DepositCreated({
        ...tokens,
        accountId: 'child',
        parentId: null,
        endToEndId: null,
        coordinates: from,
        settledAt: AT,
        createdAt: AT,
      }),
      new DepositConfirmed({ depositId: 'd', accountId: 'child', confirmedAt: AT }),
      new DepositCredited({ ...tokens, accountId: 'child', processedAt: AT, coordinates: from, createdAt: AT }),
    );
    expect(summaries(reported)).toEqual([['child', 'deposit-processed', 1, 'confirmed']]);
    expect(payload(reported, 'deposit-processed')).toEqual({
      'deposit-id': 'd',
      'account-id': 'child',
      asset: 'eth-base/brlv',
      amount: '1.000000000000000000',
      status: 'credited',
      'deposit-type': 'token',
      'source-address': '0x1',
      'target-address': '0x2',
      'tx-hash': '0xa',
      'created-at': AT,
    });
  });

  it('have exactly the fields of the contract in deposit-processed, with the personal ones sealed', () => {
    const publications = published(
      'deposit-d',
      depositCreated('child'),
      new DepositConfirmed({ depositId: 'd', accountId: 'child', confirmedAt: AT }),
      credited,
    );
    expect(summaries(publications)).toEqual([
      ['child', 'deposit-processed', 1, 'confirmed'],
      ['partner', 'deposit-processed', 1, 'confirmed'],
    ]);
    const fields = payload(publications, 'deposit-processed');
    expect(Object.keys(fields)).toEqual([
      'deposit-id',
      'account-id',
      'asset',
      'amount',
      'status',
      'deposit-type',
      'processed-at',
      'source-legal-name',
      'source-tax-id',
      'source-bank-code',
      'source-branch-code',
      'source-account-number',
      'end-to-end-id',
    ]);
    expect(fields).toMatchObject({
      asset: 'fiat/brl',
      status: 'credited',
      'source-tax-id': 'sealed:v1:p:1',
      'source-bank-code': '12345678',
    });
  });

  it('mask the sender of a voided deposit', () => {
    const publications = published(
      'deposit-d',
      depositCreated('child'),
      voided('child'),
      new DepositReturned({ depositId: 'd', returnId: 'r', returnedAt: AT }),
    );
    expect(summaries(publications)).toEqual([
      ['child', 'deposit-voided', 1, 'created'],
      ['partner', 'deposit-voided', 1, 'created'],
    ]);
    expect(payload(publications, 'deposit-voided')).toMatchObject({
      asset: 'fiat/brl',
      reason: 'payer-tax-id-mismatch',
      'source-tax-id': coordinates.sourceTaxId,
      'source-legal-name': MASKED,
      'source-account-number': MASKED,
      'source-branch-code': MASKED,
    });
  });
});
