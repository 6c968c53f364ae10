import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { MintRequested } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Intent } from '../domain/chain-transaction/chain-transaction';
import { transactionIdOf } from '../domain/chain-transaction/chain-transaction';
import { chainOfMint, unitsOf } from '../domain/mint/terms';
import type { Hex } from '../ports/chain';
import type { ServedChains } from '../ports/served-chains';
import { SERVED_CHAINS } from '../ports/served-chains';
import type { MovementsSettings } from '../ports/settings';
import { SETTINGS } from '../ports/settings';
import type { Signer } from '../ports/signer';
import { SIGNER } from '../ports/signer';
import { ChainTransactions } from '../transactions/chain-transactions';
import { Sender } from '../transactions/sender';

export class SendMintCommand extends Command<void> {
  constructor(readonly mint: MintRequested['data'], readonly context: RequestContext) { super(); }
}

/** Writes down which call will mint, and hands it to the sender. From here on it depends on the chain alone. */
@CommandHandler(SendMintCommand)
export class SendMintHandler implements ICommandHandler<SendMintCommand> {
  constructor(
    private readonly transactions: ChainTransactions, private readonly sender: Sender,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains, @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
  ) {}

  async execute({ mint, context }: SendMintCommand): Promise<void> {
    const intent = await this.intentOf(mint);
    const { transactionId, chain } = intent;
    const state = await this.transactions.carryOut(transactionId, { kind: 'intend', intent }, 'intend', context);
    if (state.status === 'intended' || state.status === 'signed') this.sender.send(chain, transactionId, context);
  }

  private async intentOf({ mintId, asset, amount, to, reference }: MintRequested['data']): Promise<Intent> {
    const chain = chainOfMint(asset);
    const call = this.chains.of(chain).evm.mintCall({ reference: reference as Hex, asset, to: to as Hex, units: unitsOf(asset, amount) });
    const purpose = { kind: 'mint', id: mintId } as const;
    return {
      transactionId: transactionIdOf(purpose), chain, from: await this.signer.addressOf(this.settings.operatorKeyId),
      to: call.to, callData: call.data, gas: call.gas.toString(), purpose,
    };
  }
}
