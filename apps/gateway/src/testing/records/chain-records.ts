import type { CertificateRecord, NftTransferRecord, TransferRecord, WalletRecord } from '@ponte/contracts';
import { SAMPLE } from '../../api/samples';

export const walletRecord = (more: Partial<WalletRecord> = {}): WalletRecord => ({
  id: SAMPLE.walletId,
  accountId: SAMPLE.accountId,
  name: 'Savings',
  chain: 'eth-base',
  address: SAMPLE.wallet,
  assets: ['eth-base/brlv', 'eth-base/usdc'],
  uiEnabled: false,
  metadata: { label: 'Savings' },
  createdAt: SAMPLE.time,
  ...more,
});

export const certificateRecord = (more: Partial<CertificateRecord> = {}): CertificateRecord => ({
  id: SAMPLE.certificateId,
  accountId: SAMPLE.accountId,
  walletAddress: SAMPLE.wallet,
  amount: '100.000000000000000000',
  rewardTier: 90,
  status: 'active',
  statusUpdatedAt: SAMPLE.time,
  createdAt: SAMPLE.time,
  txHash: SAMPLE.txHash,
  failure: null,
  issuedBy: SAMPLE.parentId,
  ...more,
});

export const nftTransferRecord = (more: Partial<NftTransferRecord> = {}): NftTransferRecord => ({
  id: SAMPLE.nftTransferId,
  accountId: SAMPLE.accountId,
  certificateId: SAMPLE.certificateId,
  sourceAddress: SAMPLE.wallet,
  targetAddress: SAMPLE.otherWallet,
  txHash: null,
  state: 'created',
  createdAt: SAMPLE.time,
  stateUpdatedAt: SAMPLE.time,
  createdBy: SAMPLE.parentId,
  createdByApiKey: SAMPLE.keyId,
  externalId: null,
  failure: null,
  ...more,
});

export const transferRecord = (more: Partial<TransferRecord> = {}): TransferRecord => ({
  id: SAMPLE.transferId,
  accountId: SAMPLE.accountId,
  asset: 'eth-base/brlv',
  amount: '25.000000000000000000',
  sourceAddress: SAMPLE.wallet,
  targetAddress: SAMPLE.otherWallet,
  txHash: null,
  state: 'created',
  createdAt: SAMPLE.time,
  stateUpdatedAt: SAMPLE.time,
  externalId: null,
  failure: null,
  ...more,
});
