import type { NftTransferEvent } from '@ponte/contracts';
import {
  NftTransferCompleted,
  NftTransferCreated,
  NftTransferFailed,
  NftTransferPending,
  NftTransferSendingStarted,
} from '@ponte/contracts';
import { fold, scenario } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import { violation } from '@ponte/kernel';
import type { OpenedTransfer } from '../certificates/certificate.decider';
import { nftTransfer, nftTransferRecord } from './nft-transfer.decider';
import { NFT_FAILURES, failureOfNftRevert } from './nft-transfer.errors';
import { factViolations, requestViolations } from './nft-transfer-rules.domain';

const AT = '2026-03-01T12:00:00.000Z';
const published = {
  transferId: 't',
  accountId: 'a',
  createdBy: 'p',
  createdByApiKey: 'k',
  certificateId: 'c',
  sourceAddress: '0x1',
  targetAddress: '0x2',
} as const;
const terms: OpenedTransfer = {
  ...published,
  parentId: 'p',
  sourceWalletId: 'w',
  receiver: null,
  bodyHash: 'h',
  externalId: null,
  createdAt: AT,
};
const created = new NftTransferCreated(terms);
const started = new NftTransferSendingStarted({ transferId: 't', accountId: 'a', startedAt: AT });
const pending = new NftTransferPending({ ...published, txHash: '0xa', pendingAt: AT });
const completed = new NftTransferCompleted({ ...published, txHash: '0xa', completedAt: AT });
const failed = new NftTransferFailed({ ...published, txHash: '0xa', failure: NFT_FAILURES.refused, failedAt: AT });
const given = (...past: NftTransferEvent[]) => scenario(nftTransfer).given(...past);
const fail = (txHash: string | null, ended = txHash !== null) =>
  ({ kind: 'fail', ended, txHash, failure: NFT_FAILURES.refused, at: AT }) as const;

describe('an NFT transfer', () => {
  it('goes from created to pending to its end, and repeats no step', () => {
    given().when({ kind: 'create', terms }).then(created);
    given(created).when({ kind: 'start-sending', at: AT }).then(started);
    given(created, started).when({ kind: 'note-pending', txHash: '0xa', replaces: null, at: AT }).then(pending);
    given(created, started, pending).when({ kind: 'complete', txHash: '0xa', at: AT }).then(completed);
    given(created, started, pending).when(fail('0xa')).then(failed);
    given(created, started, pending, completed).when({ kind: 'complete', txHash: '0xa', at: AT }).then();
    expect(() => given(created, started, pending, completed).when(fail('0xa')).events()).toThrow('cannot change');
  });

  it('keeps when it was signed while its fee is raised', () => {
    const pendingAt = '2026-03-01T12:20:00.000Z';
    const raised = new NftTransferPending({ ...published, txHash: '0xb', pendingAt });
    const state = fold(nftTransfer, nftTransfer.initial, [created, started, pending, raised]);
    expect(nftTransferRecord(state)).toMatchObject({ signedAt: AT, stateUpdatedAt: pendingAt, txHash: '0xb' });
  });

  it('fails only by its transaction once it may be on the chain', () => {
    expect(given(created).when(fail(null)).events()).toHaveLength(1);
    given(created, started).when(fail(null)).then();
    given(created, started, pending).when(fail(null)).then();
  });

  it('is created once for its key, body and certificate', () => {
    given(created).when({ kind: 'create', terms }).then();
    for (const change of [{ bodyHash: 'other' }, { createdBy: 'stranger' }, { certificateId: 'other' }]) {
      const again = given(created).when({ kind: 'create', terms: { ...terms, ...change } });
      expect(again.refusal()).toMatchObject({ code: 'idempotency-key-reused' });
    }
  });

  it('is shown with its hash and its failure', () => {
    expect(nftTransferRecord(given().state())).toBeNull();
    expect(nftTransferRecord(given(created, started, failed).state())).toMatchObject({
      state: 'failed',
      txHash: '0xa',
      failure: { code: 'target-refused' },
    });
    expect(
      ['ERC721InvalidReceiver', 'ERC721InsufficientApproval', 'else'].map((reason) => failureOfNftRevert(reason).code),
    ).toEqual(['target-refused', 'certificate-not-owned', 'transfer-reverted']);
  });
});

describe('the request of an NFT transfer', () => {
  const source = `0x${'cd'.repeat(20)}`;
  const payload = {
    transferId: 't',
    callerAccountId: 'p',
    accountId: 'a',
    sourceAddress: source,
    targetAddress: `0x${'ab'.repeat(20)}`,
    certificateId: 'c',
    externalId: null,
    bodyHash: null,
  };
  const codes = (violations: readonly Violation[]) => violations.map(({ path, code }) => `${path} ${code}`);

  it('is refused with every violation in it', () => {
    expect(codes(requestViolations(payload, null))).toEqual([]);
    expect(codes(requestViolations(payload, 'is a contract'))).toEqual(['target-address invalid-address']);
    expect(
      codes(requestViolations({ ...payload, targetAddress: source.toUpperCase().replace('0X', '0x') }, null)),
    ).toEqual(['target-address same-source-and-target']);
    const mixed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('A', 'a');
    expect(codes(requestViolations({ ...payload, sourceAddress: '0x12', targetAddress: mixed }, null))).toEqual([
      'source-address invalid-address',
      'target-address bad-address-checksum',
    ]);
  });

  it('is refused with every violation by the facts', () => {
    const ofCertificate = [violation('certificate-not-owned', 'reward-certificate-id', 'is not held')];
    expect(codes(factViolations({ account: null, source: null, ofCertificate, externalIdUsed: true }))).toEqual([
      ' account-not-active',
      'source-address source-wallet-not-owned',
      'reward-certificate-id certificate-not-owned',
      'external-id external-id-already-used',
    ]);
    const account = { status: 'active' } as never;
    for (const source of [{ id: 'w' } as never, undefined])
      expect(codes(factViolations({ account, source, ofCertificate: [], externalIdUsed: false }))).toEqual([]);
  });
});
