import { DailyTransferStreams, DailyTransfers } from '../daily-transfers/daily-transfers.service';
import { ExternalIds } from '../external-id/external-ids.service';
import { CompleteTransferHandler, FailTransferHandler } from './end-transfer.commands';
import { CreateTransferHandler } from './create-transfer.command';
import { GetTransferHandler, ListTransfersHandler } from './transfer.queries';
import { GiveUpHold } from '../transfer-holds/give-up-hold.service';
import { TransferFunds } from '../transfer-holds/transfer-funds.service';
import { NoteTransferPendingHandler } from './note-transfer-pending.command';
import { ReleaseTransferHoldHandler, TransferHolds } from '../transfer-holds/release-transfer-hold.command';
import { SendTransferHandler } from './send-transfer.command';
import { SweepTransferHolds } from '../transfer-holds/sweep-holds.job';
import { TransferMessages } from './transfer.controller';
import { TransferMetrics } from './transfer.metrics';
import { Transfers } from './transfer.repository';
import { UnfinishedTransfers } from '../token-movement/unfinished-transfers.service';

/** Token transfers, which partners request and staff can read. */
export const TRANSFER_CONTROLLERS = [TransferMessages] as const;

export const TRANSFER_PROVIDERS = [
  Transfers,
  ExternalIds,
  DailyTransferStreams,
  DailyTransfers,
  GiveUpHold,
  TransferFunds,
  TransferHolds,
  SweepTransferHolds,
  UnfinishedTransfers,
  TransferMetrics,
  CreateTransferHandler,
  SendTransferHandler,
  NoteTransferPendingHandler,
  CompleteTransferHandler,
  FailTransferHandler,
  ReleaseTransferHoldHandler,
  GetTransferHandler,
  ListTransfersHandler,
] as const;
