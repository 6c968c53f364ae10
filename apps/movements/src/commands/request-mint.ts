import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import type { MintTerms } from '../domain/mint/terms';
import { chainOfMint } from '../domain/mint/terms';
import type { ServedChains } from '../ports/served-chains';
import { SERVED_CHAINS } from '../ports/served-chains';
import { Mints } from './mints';

export class RequestMintCommand extends Command<{ mintId: string }> {
  constructor(readonly terms: MintTerms, readonly context: RequestContext) { super(); }
}

/** Answers as soon as the wish is durable; policies carry it on. */
@CommandHandler(RequestMintCommand)
export class RequestMintHandler implements ICommandHandler<RequestMintCommand> {
  constructor(private readonly mints: Mints, @Inject(SERVED_CHAINS) private readonly chains: ServedChains) {}

  async execute({ terms, context }: RequestMintCommand): Promise<{ mintId: string }> {
    const { mintId, orderId, accountId, asset, amount, to } = terms;
    const { tokens } = this.chains.of(chainOfMint(asset));
    if (tokens[asset] === undefined) refuse('asset-not-supported', `${asset} has no contract here`, 'asset');
    await this.mints.carryOut(mintId, { kind: 'request', terms: { mintId, orderId, accountId, asset, amount, to } }, context);
    return { mintId };
  }
}
