import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { CheckTokenDestination } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { Refusal, refuse } from '@ponte/kernel';
import { RequestQuery } from '@ponte/nest';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { addressAt, chainOfToken } from './chain-values.domain';
import { TokenDestinations } from './token-destinations';

/** Whether tokens of an account could be sent to an address now. */
export class CheckTokenDestinationQuery extends RequestQuery<typeof CheckTokenDestination> {}

@QueryHandler(CheckTokenDestinationQuery)
export class CheckTokenDestinationHandler implements IQueryHandler<CheckTokenDestinationQuery> {
  constructor(
    private readonly destinations: TokenDestinations,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
  ) {}

  async execute({ payload }: CheckTokenDestinationQuery): Promise<ReplyOf<typeof CheckTokenDestination>> {
    const { accountId, asset, destination } = payload;
    try {
      const { evm, tokens } = this.chains.of(chainOfToken(asset));
      if (tokens[asset] === undefined) refuse('asset-not-supported', `${asset} has no contract here`, 'asset');
      const address = addressAt('destination', destination);
      await this.destinations.receiverAt({ accountId, chain: evm.chain, address, sources: null });
      return { refusal: null };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, violations } = error;
      return { refusal: { code, at: violations[0]?.path === 'asset' ? 'asset' : 'destination', message } };
    }
  }
}
