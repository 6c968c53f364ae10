import { ExternalIds } from '../external-id/external-ids';
import { CompleteTransferHandler } from './complete-transfer.command';
import { CreateTransferHandler } from './create-transfer.command';
import { FailTransferHandler } from './fail-transfer.command';
import { GetTransferHandler } from './get-transfer.query';
import { GiveUpHold } from './give-up-hold';
import { ListTransfersHandler } from './list-transfers.query';
import { NoteTransferPendingHandler } from './note-transfer-pending.command';
import { SendTransferHandler } from './send-transfer.command';
import { SweepTransferHolds } from './sweep-holds.job';
import { TransferMessages } from './transfer.controller';
import { TransferMetrics } from './transfer.metrics';
import { Transfers } from './transfer.repository';

/** Token transfers, which partners ask for and staff see. */
export const TRANSFER_CONTROLLERS = [TransferMessages] as const;

export const TRANSFER_PROVIDERS = [
  Transfers,
  ExternalIds,
  GiveUpHold,
  SweepTransferHolds,
  TransferMetrics,
  CreateTransferHandler,
  SendTransferHandler,
  NoteTransferPendingHandler,
  CompleteTransferHandler,
  FailTransferHandler,
  GetTransferHandler,
  ListTransfersHandler,
] as const;
