import { Controller } from '@nestjs/common';
import {
  CreateNftTransfer,
  GetAnyNftTransfer,
  GetNftTransfer,
  ListAllNftTransfers,
  ListNftTransfers,
} from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { CreateNftTransferCommand } from './create-nft-transfer.command';
import { GetNftTransferQuery, ListNftTransfersQuery } from './nft-transfer.queries';

@Controller()
export class NftTransferMessages extends forwardRequests(
  [CreateNftTransfer, CreateNftTransferCommand],
  [GetNftTransfer, GetNftTransferQuery],
  [GetAnyNftTransfer, GetNftTransferQuery],
  [ListNftTransfers, ListNftTransfersQuery],
  [ListAllNftTransfers, ListNftTransfersQuery],
) {}
