import type { Provider, Type } from '@nestjs/common';
import { CertificateIntents } from '../certificates/certificate-intents';
import { CertificateMovements } from '../certificates/certificate-movements';
import { CertificateMessages } from '../certificates/certificate.controller';
import { Certificates } from '../certificates/certificate.repository';
import { IssueCertificateHandler } from '../certificates/issue-certificate.command';
import {
  GetAnyCertificateHandler,
  ListAllCertificatesHandler,
  ListCertificatesHandler,
} from '../certificates/list-certificates.query';
import { MintCertificateHandler } from '../certificates/mint-certificate.command';
import { SettleCertificateHandler } from '../certificates/settle-certificate.command';
import { WhenCertificateIssuedMintIt } from '../certificates/when-certificate-issued-mint-it.policy';
import { WhenTransactionEndedSettleCertificate } from '../certificates/when-transaction-ended-settle-certificate.policy';
import { CompleteNftTransferHandler } from './complete-nft-transfer.command';
import { CreateNftTransferHandler } from './create-nft-transfer.command';
import { FailNftTransferHandler } from './fail-nft-transfer.command';
import { GetNftTransferHandler, ListNftTransfersHandler } from './list-nft-transfers.query';
import { NftTransferMetrics } from './nft-transfer-metrics';
import { NftTransferMessages } from './nft-transfer.controller';
import { NftTransfers } from './nft-transfer.repository';
import { NoteNftTransferPendingHandler } from './note-nft-transfer-pending.command';
import { OpenNftTransferHandler } from './open-nft-transfer.command';
import { OpenedNftTransfers } from './opened-nft-transfers';
import { SendNftTransferHandler } from './send-nft-transfer.command';
import { WhenCertificateTransferOpenedCreateIt } from './when-certificate-transfer-opened-create-it.policy';
import { WhenNftTransferCreatedSendIt } from './when-nft-transfer-created-send-it.policy';
import { WhenTransactionEndedEndNftTransfer } from './when-transaction-ended-end-nft-transfer.policy';
import { WhenTransactionSignedNoteNftPending } from './when-transaction-signed-note-nft-pending.policy';

/** What the service does for certificates because of events. */
export const CERTIFICATE_POLICIES = [
  WhenCertificateIssuedMintIt,
  WhenTransactionEndedSettleCertificate,
  WhenCertificateTransferOpenedCreateIt,
  WhenNftTransferCreatedSendIt,
  WhenTransactionSignedNoteNftPending,
  WhenTransactionEndedEndNftTransfer,
] as const;

export const CERTIFICATE_CONTROLLERS: Type[] = [CertificateMessages, NftTransferMessages];

/** Everything of certificates and their transfers, for the service's module. */
export const CERTIFICATE_PROVIDERS: Provider[] = [
  ...[
    Certificates,
    CertificateIntents,
    CertificateMovements,
    IssueCertificateHandler,
    MintCertificateHandler,
    SettleCertificateHandler,
  ],
  ...[ListCertificatesHandler, ListAllCertificatesHandler, GetAnyCertificateHandler],
  ...[
    NftTransfers,
    OpenedNftTransfers,
    NftTransferMetrics,
    CreateNftTransferHandler,
    OpenNftTransferHandler,
    SendNftTransferHandler,
  ],
  ...[
    NoteNftTransferPendingHandler,
    CompleteNftTransferHandler,
    FailNftTransferHandler,
    ListNftTransfersHandler,
    GetNftTransferHandler,
  ],
];
