import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { nftTransfer } from './nft-transfer.decider';
import { NftTransferReadModel } from './nft-transfers.read-model';

/** The streams of NFT transfers. */
@Injectable()
export class NftTransfers extends defineRepository(nftTransfer, NftTransferReadModel) {}
