import type { IEventHandler } from '@nestjs/cqrs';
import { WalletCreated } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import type { Hex } from '../chain/block.port';
import { EarlyDepositChecks } from './early-deposit-checks.read-model';

/** Anyone who can derive the address of a wallet can send tokens to it before it exists. */
@Policy(WalletCreated)
export class WhenWalletCreatedCheckEarlyDeposits implements IEventHandler<Recorded<WalletCreated>> {
  constructor(private readonly checks: EarlyDepositChecks) {}

  async handle({ data: { walletId, createdAt, chain, address } }: Recorded<WalletCreated>): Promise<void> {
    await this.checks.add({ walletId, createdAt, chain, address: address as Hex });
  }
}
