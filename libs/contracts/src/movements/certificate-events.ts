import { event } from '@ponte/event-sourcing';
import type { Chain, RewardTier } from '@ponte/kernel';
import type { DecimalText, Failure, Timestamp } from '../shared';
import type { MovementReceiver } from './transaction-purposes';
import type { NftTransferCreated } from './nft-transfer-events';

/**
 * Stream `rewardCertificate-<certificateId>`. The token id on the chain is the certificate id as a number. `amount` is
 * in BRLV, `rewardTier` in percent.
 */
export class CertificateIssued extends event('CertificateIssued')<{
  certificateId: string;
  accountId: string;
  parentId: string | null;
  chain: Chain;
  walletId: string;
  /** Lower-case. */
  walletAddress: string;
  amount: DecimalText;
  rewardTier: RewardTier;
  /** Who issued it: a staff member, the operator's command line or, in the sandbox, an API key. */
  issuedBy: string;
  issuedAt: Timestamp;
}> {}

/** From now on the mint may be on the chain, so only the chain decides how it ends. */
export class CertificateMintStarted extends event('CertificateMintStarted')<{
  certificateId: string;
  accountId: string;
  startedAt: Timestamp;
}> {}

/** The token is in the wallet, with enough confirmations. */
export class CertificateMinted extends event('CertificateMinted')<{
  certificateId: string;
  accountId: string;
  txHash: string;
  mintedAt: Timestamp;
}> {}

/** No token was minted, and none will be minted for this certificate. */
export class CertificateMintFailed extends event('CertificateMintFailed')<{
  certificateId: string;
  accountId: string;
  /** Null if nothing was signed. */
  txHash: string | null;
  failure: Failure;
  failedAt: Timestamp;
}> {}

/**
 * The certificate is reserved for this transfer. The event contains all terms, so that the transfer can still be
 * created after a crash.
 */
export class CertificateTransferOpened extends event('CertificateTransferOpened')<{
  certificateId: string;
  accountId: string;
  transfer: NftTransferCreated['data'];
}> {}

/** The transfer failed or was never created: the certificate is active again. */
export class CertificateTransferReleased extends event('CertificateTransferReleased')<{
  certificateId: string;
  accountId: string;
  transferId: string;
  releasedAt: Timestamp;
}> {}

/** The token was moved to the target of the transfer, inside or outside our custody. */
export class CertificateDelivered extends event('CertificateDelivered')<{
  certificateId: string;
  /** Account of the previous holder. */
  accountId: string;
  transferId: string;
  txHash: string;
  /** Lower-case. */
  address: string;
  /** The new holder; null if the target is outside our custody. */
  holder: MovementReceiver | null;
  deliveredAt: Timestamp;
}> {}

export type CertificateEvent =
  | CertificateIssued
  | CertificateMintStarted
  | CertificateMinted
  | CertificateMintFailed
  | CertificateTransferOpened
  | CertificateTransferReleased
  | CertificateDelivered;
