import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { wallet } from './wallet.decider';
import { WalletReadModel } from './wallets.read-model';

/** The streams of wallets. */
@Injectable()
export class Wallets extends defineRepository(wallet, WalletReadModel) {}
