import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { walletSlots } from './wallet-slots.decider';

/** The streams that count the wallets of an account on a chain. */
@Injectable()
export class WalletSlotStreams extends defineRepository(walletSlots) {}
