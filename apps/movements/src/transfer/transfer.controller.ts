import { Controller } from '@nestjs/common';
import { CreateTransfer, GetAnyTransfer, GetTransfer, ListAllTransfers, ListTransfers } from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { CreateTransferCommand } from './create-transfer.command';
import { GetTransferQuery, ListTransfersQuery } from './transfer.queries';

@Controller()
export class TransferMessages extends forwardRequests(
  [CreateTransfer, CreateTransferCommand],
  [GetTransfer, GetTransferQuery],
  [ListTransfers, ListTransfersQuery],
  [ListAllTransfers, ListTransfersQuery],
  [GetAnyTransfer, GetTransferQuery],
) {}
