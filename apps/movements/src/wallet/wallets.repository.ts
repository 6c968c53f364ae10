import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { wallet } from './wallet.decider';
import { WalletReadModel } from './wallets.read-model';
import { walletAddress } from './wallet-address.decider';
import { walletSlots } from './wallet-slots.decider';

/** The streams of wallets. */
@Injectable()
export class Wallets extends defineRepository(wallet, WalletReadModel) {}

/** The streams that record which wallet has an address. */
@Injectable()
export class WalletAddressStreams extends defineRepository(walletAddress) {}

/** The streams that count the wallets of an account on a chain. */
@Injectable()
export class WalletSlotStreams extends defineRepository(walletSlots) {}
