import { event } from '@ponte/event-sourcing';
import type { Chain, RewardTier } from '@ponte/kernel';
import type { DecimalText, Failure, Timestamp } from '../shared';
import type { MovementReceiver } from './transaction-purposes';
import type { NftTransferCreated } from './nft-transfer-events';

/**
 * Stream `rewardCertificate-<certificateId>`. The token id on the chain is the certificate's id as a number. The
 * amount is in BRLV, the
 * tier in percent.
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
  /** The member of staff, the operator's command line or, in the sandbox, the API key that issued it. */
  issuedBy: string;
  issuedAt: Timestamp;
}> {}

/** From here on the mint may be on the chain, so only the chain can end it. */
export class CertificateMintStarted extends event('CertificateMintStarted')<{
  certificateId: string;
  accountId: string;
  startedAt: Timestamp;
}> {}

/** Its token is in the wallet, with enough confirmations. */
export class CertificateMinted extends event('CertificateMinted')<{
  certificateId: string;
  accountId: string;
  txHash: string;
  mintedAt: Timestamp;
}> {}

/** There is no token, and under this certificate there never will be one. */
export class CertificateMintFailed extends event('CertificateMintFailed')<{
  certificateId: string;
  accountId: string;
  /** Null when nothing was signed. */
  txHash: string | null;
  failure: Failure;
  failedAt: Timestamp;
}> {}

/**
 * The certificate is in this transfer and in no other. The event has all terms, so a transfer that a crash prevented
 * is made from it.
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

/** The token went to the target of the transfer: to a wallet in our custody, or out of it. */
export class CertificateDelivered extends event('CertificateDelivered')<{
  certificateId: string;
  /** Whose it was. */
  accountId: string;
  transferId: string;
  txHash: string;
  /** Lower-case. */
  address: string;
  /** Whose it is now; null outside our custody. */
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
