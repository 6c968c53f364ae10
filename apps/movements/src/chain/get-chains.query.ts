import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { ChainRecord, TokenRecord } from '@ponte/contracts';
import { assetOf } from '@ponte/kernel';
import { assetsOn } from '../wallet/wallet.decider';
import type { ServedChain, ServedChains } from './served-chains.port';
import { SERVED_CHAINS } from './served-chains.port';

export class GetChainsQuery extends Query<{ chains: readonly ChainRecord[] }> {}

@QueryHandler(GetChainsQuery)
export class GetChainsHandler implements IQueryHandler<GetChainsQuery> {
  constructor(@Inject(SERVED_CHAINS) private readonly chains: ServedChains) {}

  async execute(): Promise<{ chains: readonly ChainRecord[] }> {
    return { chains: this.chains.all.map(recordOf) };
  }
}

function recordOf({ evm: { chain, chainId }, url, confirmations, minter, custody, tokens }: ServedChain): ChainRecord {
  const records = assetsOn(chain).flatMap((asset): TokenRecord[] => {
    const address = tokens[asset];
    return address === undefined ? [] : [{ asset, address, decimals: assetOf(asset).onChainDecimals ?? 0 }];
  });
  return { chain, chainId, ...(url === undefined ? {} : { url }), confirmations, minter, custody, tokens: records };
}
