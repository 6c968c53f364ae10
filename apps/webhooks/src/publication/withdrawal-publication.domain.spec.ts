import type { DomainEvent } from '@ponte/event-sourcing';
import * as contracts from '@ponte/contracts';
import { AT, published, summaries, payload } from './published.testing';

describe('the webhooks of a withdrawal', () => {
  it('begin with withdraw-processing and have exactly the documented fields, with the personal ones sealed', () => {
    const sealedText = 'sealed:v1:p:1' as const;
    const payee = {
      legalName: sealedText,
      taxId: sealedText,
      taxIdFingerprint: 'f',
      bankCode: '12345678',
      branchCode: sealedText,
      accountNumber: sealedText,
    };
    const target = { method: 'pix', pixKey: sealedText, payee } as const;
    const ids = { withdrawalId: 'w', accountId: 'child' };
    const by = { createdBy: 'partner', createdByApiKey: 'ak' };
    const what = { asset: 'fiat/brl', amount: '10.00', holdId: 'h' } as const;
    const created = new contracts.WithdrawalCreated({
      ...ids,
      ...by,
      ...what,
      parentId: 'partner',
      keyHash: null,
      bodyHash: null,
      externalId: null,
      target,
      scheduledFor: null,
      createdAt: AT,
    });
    const started = new contracts.WithdrawalProcessingStarted({
      ...ids,
      ...what,
      method: 'pix',
      destinationWalletAddress: null,
      startedAt: AT,
    });
    const paid = new contracts.WithdrawalCompleted({
      ...ids,
      ...by,
      asset: 'fiat/brl',
      amount: '10.00',
      target,
      endToEndId: 'E1',
      txHash: null,
      processedAt: AT,
    });
    const publications = published('withdrawal-w', created, started, paid);
    expect(summaries(publications).filter(([audience]) => audience === 'child')).toEqual([
      ['child', 'withdraw-processing', 1, 'created'],
      ['child', 'withdraw-completed', 2, 'processing'],
    ]);
    expect(payload(publications, 'withdraw-completed')).toEqual({
      'withdraw-id': 'w',
      'account-id': 'child',
      'created-by': 'partner',
      'created-by-api-key': 'ak',
      asset: 'fiat/brl',
      amount: '10.00',
      'processed-at': AT,
      method: 'pix',
      'end-to-end-id': 'E1',
      'target-legal-name': sealedText,
      'target-tax-id': sealedText,
      'target-bank-code': '12345678',
      'target-branch-code': sealedText,
      'target-account-number': sealedText,
    });
    const token = { method: 'token', destinationWalletAddress: '0xabc' } as const;
    const sent = new contracts.WithdrawalCompleted({
      ...ids,
      ...by,
      asset: 'eth-base/usdc',
      amount: '1.000000',
      target: token,
      endToEndId: null,
      txHash: '0x1',
      processedAt: AT,
    });
    expect(payload(published('withdrawal-w', created, started, sent), 'withdraw-completed')).toEqual({
      'withdraw-id': 'w',
      'account-id': 'child',
      'created-by': 'partner',
      'created-by-api-key': 'ak',
      asset: 'eth-base/usdc',
      amount: '1.000000',
      'processed-at': AT,
      'destination-wallet-address': '0xabc',
      'tx-hash': '0x1',
    });
    const back = new contracts.WithdrawalRolledBack({
      ...ids,
      ...by,
      ...what,
      method: 'pix',
      previousState: 'created',
      rolledBackAt: AT,
      failure: { code: 'bank-refused', message: 'm', retryable: true },
    });
    expect(summaries(published('withdrawal-w', created, back))[0]).toEqual([
      'child',
      'withdraw-rolled-back',
      1,
      'created',
    ]);
    const ofOrder = [started, paid, back].map((fact) => ({ ...fact, data: { ...fact.data, orderId: 'o' } }));
    for (const { envelope } of published('withdrawal-w', created, ...(ofOrder as DomainEvent[])))
      expect(envelope.payload).toMatchObject({ 'order-id': 'o' });
  });
});
