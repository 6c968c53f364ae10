import {
  DepositCreated,
  DepositVoided,
  TransferCompleted,
  TransferCreated,
  TransferFailed,
  TransferPending,
  TransferSendingStarted,
} from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { AT, deposit, published, summaries, payload } from './published.testing';

describe('the webhooks of tokens and certificates', () => {
  it('report a token transfer as pending and then how it ended, with the fields of the contract', () => {
    const terms = {
      transferId: 't',
      accountId: 'child',
      createdBy: 'partner',
      createdByApiKey: 'ak_test_1',
      asset: 'eth-base/brlv',
      amount: '1.000000000000000000',
      sourceAddress: '0x1',
      targetAddress: '0x2',
    } as const;
    const created = new TransferCreated({
      ...terms,
      parentId: 'partner',
      sourceWalletId: 'w',
      receiver: null,
      bodyHash: null,
      externalId: null,
      holdId: 'h',
      createdAt: AT,
    });
    const started = new TransferSendingStarted({ transferId: 't', accountId: 'child', startedAt: AT });
    const pending = new TransferPending({ ...terms, txHash: '0xa', pendingAt: AT });
    const publications = published(
      'transfer-t',
      created,
      started,
      pending,
      new TransferCompleted({ ...terms, txHash: '0xa', completedAt: AT }),
    );
    expect(summaries(publications)).toEqual([
      ['child', 'token-transfer-pending', 1, 'created'],
      ['partner', 'token-transfer-pending', 1, 'created'],
      ['child', 'token-transfer-completed', 2, 'pending'],
      ['partner', 'token-transfer-completed', 2, 'pending'],
    ]);
    const fields = {
      'transfer-id': 't',
      'account-id': 'child',
      'created-by': 'partner',
      'created-by-api-key': 'ak_test_1',
      asset: 'eth-base/brlv',
      amount: '1.000000000000000000',
      'source-wallet-address': '0x1',
      'target-wallet-address': '0x2',
      'tx-hash': '0xa',
    };
    expect(payload(publications, 'token-transfer-completed')).toEqual({ ...fields, 'completed-at': AT });
    expect(publications[0]?.envelope).toMatchObject({ resourceType: 'transfer', resourceId: 't', accountId: 'child' });
    const failure = { code: 'transfer-reverted', message: 'why', retryable: true };
    const failed = published(
      'transfer-t',
      created,
      pending,
      new TransferFailed({ ...terms, txHash: '0xa', failure, failedAt: AT }),
    );
    expect(payload(failed, 'token-transfer-failed')).toEqual({ ...fields, 'failed-at': AT, failure });
    expect(payload(failed, 'token-transfer-pending')).toEqual({ ...fields, 'pending-at': AT });
    const raised = new TransferPending({ ...terms, txHash: '0xb', pendingAt: AT });
    const again = published('transfer-t', created, pending, raised);
    expect(summaries(again).slice(2)).toEqual([
      ['child', 'token-transfer-pending', 2, 'pending'],
      ['partner', 'token-transfer-pending', 2, 'pending'],
    ]);
    expect(again.at(-1)?.envelope.payload).toMatchObject({ 'tx-hash': '0xb' });
  });

  it.each(['reorged', 'compliance'] as const)(
    'report a voided token deposit (%s) with its addresses only',
    (reason) => {
      const tokens = { ...deposit, type: 'token', asset: 'eth-base/usdc', amount: '1.000000' } as const;
      const from = {
        sourceChain: 'eth-base',
        sourceAddress: '0x1',
        targetAddress: '0x2',
        txHash: '0xa',
        movementId: null,
      } as const;
      const arrival = { blockNumber: '7', blockHash: '0xb', logIndex: 0 };
      const reported = published(
        'deposit-d',
        new DepositCreated({
          ...tokens,
          accountId: 'child',
          parentId: null,
          endToEndId: null,
          coordinates: from,
          arrival,
          settledAt: AT,
          createdAt: AT,
        }),
        new DepositVoided({
          ...tokens,
          accountId: 'child',
          voidedAt: AT,
          reason,
          returnId: null,
          tokenCoordinates: from,
        }),
      );
      expect(summaries(reported)).toEqual([['child', 'deposit-voided', 1, 'created']]);
      expect(payload(reported, 'deposit-voided')).toEqual({
        'deposit-id': 'd',
        'account-id': 'child',
        asset: 'eth-base/usdc',
        amount: '1.000000',
        status: 'voided',
        'deposit-type': 'token',
        'voided-at': AT,
        reason,
        'source-address': '0x1',
        'target-address': '0x2',
        'tx-hash': '0xa',
      });
    },
  );

  it('report only how an NFT transfer ended, with the certificate', () => {
    const terms = {
      transferId: 't',
      accountId: 'child',
      createdBy: 'partner',
      createdByApiKey: 'ak_test_1',
      certificateId: 'c',
      sourceAddress: '0x1',
      targetAddress: '0x2',
    } as const;
    const created = new contracts.NftTransferCreated({
      ...terms,
      parentId: 'partner',
      sourceWalletId: 'w',
      receiver: null,
      bodyHash: null,
      externalId: null,
      createdAt: AT,
    });
    const started = new contracts.NftTransferSendingStarted({ transferId: 't', accountId: 'child', startedAt: AT });
    const pending = new contracts.NftTransferPending({ ...terms, txHash: '0xa', pendingAt: AT });
    const publications = published(
      'nftTransfer-t',
      created,
      started,
      pending,
      new contracts.NftTransferCompleted({ ...terms, txHash: '0xa', completedAt: AT }),
    );
    expect(summaries(publications)).toEqual([
      ['child', 'nft-transfer-completed', 1, 'pending'],
      ['partner', 'nft-transfer-completed', 1, 'pending'],
    ]);
    const fields = {
      'transfer-id': 't',
      'account-id': 'child',
      'created-by': 'partner',
      'created-by-api-key': 'ak_test_1',
      'reward-certificate-id': 'c',
      'source-wallet-address': '0x1',
      'target-wallet-address': '0x2',
    };
    expect(payload(publications, 'nft-transfer-completed')).toEqual({
      ...fields,
      'tx-hash': '0xa',
      'completed-at': AT,
    });
    expect(publications[0]?.envelope).toMatchObject({
      resourceType: 'nft-transfer',
      resourceId: 't',
      accountId: 'child',
    });
    const failure = { code: 'account-not-active', message: 'why', retryable: false };
    const failed = published(
      'nftTransfer-t',
      created,
      new contracts.NftTransferFailed({ ...terms, txHash: null, failure, failedAt: AT }),
    );
    expect(summaries(failed)[0]).toEqual(['child', 'nft-transfer-failed', 1, 'created']);
    expect(payload(failed, 'nft-transfer-failed')).toEqual({ ...fields, 'failed-at': AT, failure });
  });
});
