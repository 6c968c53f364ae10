import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { transfer } from './transfer.decider';
import { TransferReadModel } from './transfers.read-model';

/** The streams of token transfers. */
@Injectable()
export class Transfers extends defineRepository(transfer, TransferReadModel) {}
