import {
  ChangeWalletMetadata,
  CreateNftTransfer,
  CreateTransfer,
  CreateWallet,
  GetAnyCertificate,
  GetAnyNftTransfer,
  GetAnyTransfer,
  GetNftTransfer,
  GetTransfer,
  GetWalletBalances,
  IssueCertificate,
  ListAllCertificates,
  ListAllNftTransfers,
  ListAllTransfers,
  ListCertificates,
  ListNftTransfers,
  ListTransfers,
  ListWallets,
} from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { SAMPLE } from '../../api/samples';
import { certificateRecord, nftTransferRecord, transferRecord, walletRecord } from '../records/chain-records';
import type { StubBus } from '../stub-bus';

export function answerChains(bus: StubBus): void {
  bus.on(ListWallets, ({ accountId }) => ({ items: [walletRecord({ accountId })], next: null }));
  bus.on(CreateWallet, ({ accountId, name, chain, metadata, uiEnabled }) =>
    walletRecord({ accountId, name, chain, metadata, uiEnabled }),
  );
  bus.on(ChangeWalletMetadata, ({ accountId, walletId, uiEnabled }) =>
    walletId === SAMPLE.walletId
      ? walletRecord({ accountId, uiEnabled: uiEnabled ?? false })
      : refuse('wallet-not-found', 'the account has no such wallet'),
  );
  bus.on(GetWalletBalances, ({ walletId }) =>
    walletId === SAMPLE.walletId
      ? { balances: [{ asset: 'eth-base/usdc' as const, amount: '1.000000' }], asOf: SAMPLE.time }
      : refuse('wallet-not-found', 'the account has no such wallet'),
  );
  bus.on(CreateTransfer, ({ accountId, transferId: id, externalId }) => transferRecord({ accountId, id, externalId }));
  bus.on(GetTransfer, ({ accountId, transferId }) =>
    transferId === SAMPLE.transferId ? transferRecord({ accountId }) : null,
  );
  bus.on(ListTransfers, ({ accountId }) => ({
    items: [
      transferRecord({
        accountId,
        state: 'failed',
        txHash: SAMPLE.txHash,
        failure: { code: 'transfer-reverted', message: 'why', retryable: true },
      }),
    ],
    next: null,
  }));
}

export function answerCertificates(bus: StubBus): void {
  const failed = {
    state: 'failed' as const,
    txHash: SAMPLE.txHash,
    failure: { code: 'target-refused', message: 'why', retryable: false },
  };
  const certificateOf = (certificateId: string) =>
    certificateId === SAMPLE.certificateId ? certificateRecord() : null;
  bus.on(IssueCertificate, ({ certificateId: id, accountId, walletAddress, amount, issuedBy }) =>
    certificateRecord({ id, accountId, walletAddress, amount, issuedBy, status: 'issued', txHash: null }),
  );
  bus.on(ListCertificates, ({ accountId }) => ({
    items: [certificateRecord({ accountId, status: 'transferring' })],
    next: { createdAt: SAMPLE.time, id: SAMPLE.orderId },
  }));
  bus.on(ListAllCertificates, () => ({
    items: [certificateRecord({ status: 'failed', failure: failed.failure })],
    next: null,
  }));
  bus.on(GetAnyCertificate, ({ certificateId }) => certificateOf(certificateId));
  bus.on(CreateNftTransfer, ({ accountId, transferId: id, externalId }) =>
    nftTransferRecord({ accountId, id, externalId }),
  );
  bus.on(GetNftTransfer, ({ accountId, transferId }) =>
    transferId === SAMPLE.nftTransferId ? nftTransferRecord({ accountId }) : null,
  );
  bus.on(GetAnyNftTransfer, ({ transferId }) => (transferId === SAMPLE.nftTransferId ? nftTransferRecord() : null));
  bus.on(ListNftTransfers, ({ accountId }) => ({ items: [nftTransferRecord({ accountId, ...failed })], next: null }));
  bus.on(ListAllTransfers, ({ accountId }) => ({
    items: [transferRecord({ accountId: accountId ?? SAMPLE.accountId })],
    next: null,
  }));
  bus.on(GetAnyTransfer, ({ transferId }) => (transferId === SAMPLE.transferId ? transferRecord({}) : null));
  bus.on(ListAllNftTransfers, () => ({ items: [nftTransferRecord(failed)], next: null }));
}
