import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { ChainRecord, GetSharePrice, SharePriceRecord, TokenRecord } from '@ponte/contracts';
import { assetOf, formatDecimal, isoTime } from '@ponte/kernel';
import { RequestQuery } from '@ponte/nest';
import { assetsOn } from '../wallet/wallet.decider';
import type { ServedChain, ServedChains } from './served-chains.port';
import { SERVED_CHAINS } from './served-chains.port';
import { chainOfToken } from '../token-movement/chain-values.domain';

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

export class GetSharePriceQuery extends RequestQuery<typeof GetSharePrice> {}

const RATE_SCALE = 10;
/** Shares and the token behind them have 18 decimals, a rate has 10. */
const TO_RATE = 10n ** 8n;

/** The price of a vault share, read from the vault at a final block; null when it has no contract here. */
@QueryHandler(GetSharePriceQuery)
export class GetSharePriceHandler implements IQueryHandler<GetSharePriceQuery> {
  constructor(@Inject(SERVED_CHAINS) private readonly chains: ServedChains) {}

  async execute({ payload: { asset } }: GetSharePriceQuery): Promise<SharePriceRecord | null> {
    const { evm, tokens } = this.chains.of(chainOfToken(asset));
    if (tokens[asset] === undefined) return null;
    const { perShare, costPerShare, block, minedAt } = await evm.sharePrice(asset);
    return {
      asset,
      price: formatDecimal(perShare / TO_RATE, RATE_SCALE),
      cost: formatDecimal((costPerShare + TO_RATE - 1n) / TO_RATE, RATE_SCALE),
      blockNumber: String(block.number),
      minedAt: isoTime(minedAt),
    };
  }
}
