import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { SharePriceRecord } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { formatDecimal, isoTime } from '@ponte/kernel';
import { PayloadQuery } from '@ponte/nest';
import type { ServedChains } from './served-chains.port';
import { SERVED_CHAINS } from './served-chains.port';
import { chainOfToken } from '../token-movement/chain-values.domain';

export class GetSharePriceQuery extends PayloadQuery<{ readonly asset: AssetId }, SharePriceRecord | null> {}

const RATE_SCALE = 10;
/** Shares and the token behind them have 18 decimals, a rate has 10. */
const TO_RATE = 10n ** 8n;

/** The price of a vault share, read from the vault itself at a final block; null when it has no contract here. */
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
