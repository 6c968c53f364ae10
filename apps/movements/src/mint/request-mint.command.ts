import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { MintPurpose } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { isoTime, refuse } from '@ponte/kernel';
import { CLOCK, PayloadCommand } from '@ponte/nest';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import { chainOfMint } from './mint.domain';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { ChainTransactions } from '../transactions/chain-transactions';
import { operatorKeyFor } from '../signer-key/operator-keys';
import { Sender } from '../sending/sender';

export class RequestMintCommand extends PayloadCommand<MintPurpose, { mintId: string }> {}

/**
 * Answers as soon as the intent is durable, and hands it to the sender: from there on it depends on the chain alone.
 * Should the process end in between, the rounds over everything unfinished take it up.
 */
@CommandHandler(RequestMintCommand)
export class RequestMintHandler implements ICommandHandler<RequestMintCommand> {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly sender: Sender,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: purpose, context }: RequestMintCommand): Promise<{ mintId: string }> {
    const { id: mintId, asset } = purpose;
    const chain = chainOfMint(asset);
    if (this.chains.of(chain).tokens[asset] === undefined)
      refuse('asset-not-supported', `${asset} has no contract here`, 'asset');
    const transactionId = transactionIdOf(purpose);
    const keyId = operatorKeyFor(transactionId, this.settings.operatorKeyIds);
    const intent = { chain, from: await this.signer.addressOf(keyId), intendedAt: isoTime(this.clock.now()) };
    const state = await this.transactions.intend(transactionId, { kind: 'intend', purpose, intent }, context);
    if (state.status === 'intended' || state.status === 'signed')
      this.sender.send(chain, keyId, transactionId, context);
    return { mintId };
  }
}
