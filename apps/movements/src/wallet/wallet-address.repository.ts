import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { walletAddress } from './wallet-address.decider';

/** The streams that say which wallet has an address. */
@Injectable()
export class WalletAddressStreams extends defineRepository(walletAddress) {}
