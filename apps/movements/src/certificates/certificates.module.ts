import type { Provider, Type } from '@nestjs/common';
import { CertificateMovements } from './certificate-movements.service';
import { CertificateMessages } from './certificate.controller';
import { Certificates } from './certificate.repository';
import { IssueCertificateHandler } from './issue-certificate.command';
import { GetAnyCertificateHandler, ListAllCertificatesHandler, ListCertificatesHandler } from './certificate.queries';
import { MintCertificateHandler } from './mint-certificate.command';
import { SettleCertificateHandler } from './settle-certificate.command';
import { WhenCertificateIssuedMintIt } from './when-certificate-issued-mint-it.policy';
import { WhenTransactionEndedSettleCertificate } from './when-transaction-ended-settle-certificate.policy';
import { CompleteNftTransferHandler, FailNftTransferHandler } from '../nft-transfer/end-nft-transfer.commands';
import { CreateNftTransferHandler } from '../nft-transfer/create-nft-transfer.command';
import { GetNftTransferHandler, ListNftTransfersHandler } from '../nft-transfer/nft-transfer.queries';
import { NftTransferMetrics } from '../nft-transfer/nft-transfer.metrics';
import { NftTransferMessages } from '../nft-transfer/nft-transfer.controller';
import { NftTransfers } from '../nft-transfer/nft-transfer.repository';
import { OpenNftTransferHandler, OpenedNftTransfers } from '../nft-transfer/open-nft-transfer.command';
import { ReleaseCertificateHandler, ReleasedCertificates } from '../nft-transfer/release-certificate.command';
import { ReleaseReservedCertificates } from '../nft-transfer/release-reserved-certificates.job';
import { SendNftTransferHandler } from '../nft-transfer/send-nft-transfer.command';
import { WhenCertificateTransferOpenedCreateIt } from '../nft-transfer/when-certificate-transfer-opened-create-it.policy';
import { WhenNftTransferCreatedSendIt } from '../nft-transfer/when-nft-transfer-created-send-it.policy';
import { WhenNftTransferFailedReleaseCertificate } from '../nft-transfer/when-nft-transfer-failed-release-certificate.policy';

export const CERTIFICATE_POLICIES = [
  WhenCertificateIssuedMintIt,
  WhenTransactionEndedSettleCertificate,
  WhenCertificateTransferOpenedCreateIt,
  WhenNftTransferCreatedSendIt,
  WhenNftTransferFailedReleaseCertificate,
] as const;

export const CERTIFICATE_CONTROLLERS: Type[] = [CertificateMessages, NftTransferMessages];

/** The providers of certificates and their transfers. */
export const CERTIFICATE_PROVIDERS: Provider[] = [
  ...[Certificates, CertificateMovements, IssueCertificateHandler, MintCertificateHandler, SettleCertificateHandler],
  ...[ListCertificatesHandler, ListAllCertificatesHandler, GetAnyCertificateHandler],
  ...[
    NftTransfers,
    OpenedNftTransfers,
    ReleasedCertificates,
    ReleaseReservedCertificates,
    NftTransferMetrics,
    CreateNftTransferHandler,
    OpenNftTransferHandler,
    SendNftTransferHandler,
    ReleaseCertificateHandler,
  ],
  ...[CompleteNftTransferHandler, FailNftTransferHandler, ListNftTransfersHandler, GetNftTransferHandler],
];
