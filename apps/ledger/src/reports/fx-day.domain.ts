import type { ExchangePosted, FxDayRecord, IofPeriodRecord } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money, assetOf, formatDecimal, fromIso, saoPauloDate } from '@ponte/kernel';

const BRL: AssetId = 'fiat/brl';
const BRL_SCALE = 2n;
const RATE_SCALE = 10;
const TREASURY = 'house:treasury';
const POSITION = 'house:fx-position';

/** What the house traded of one token on one day in São Paulo, in minor units. */
export interface FxDay {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly asset: AssetId;
  readonly trades: number;
  readonly tokensSold: bigint;
  /** At market value, without charges. */
  readonly brlReceived: bigint;
  readonly tokensBought: bigint;
  readonly brlPaid: bigint;
  readonly spread: bigint;
  readonly fees: bigint;
  readonly iof: bigint;
}

/** The trade of an exchange, read from its postings; undefined if the treasury is not part of it. */
export function fxTradeOf({ postings, charges, postedAt }: ExchangePosted['data']): FxDay | undefined {
  const of = (account: string) => postings.find((posting) => posting.account === account);
  const [token, brl] = [of(TREASURY), of(POSITION)];
  if (!token || !brl) return undefined;
  const [tokens, value] = [Money.stored(token.asset, token.amount).minor, Money.stored(BRL, brl.amount).minor];
  const sells = tokens < 0n;
  const minor = (amount: string): bigint => Money.stored(BRL, amount).minor;
  return {
    day: saoPauloDate(fromIso(postedAt)),
    asset: token.asset,
    trades: 1,
    tokensSold: sells ? -tokens : 0n,
    brlReceived: sells ? value : 0n,
    tokensBought: sells ? 0n : tokens,
    brlPaid: sells ? 0n : -value,
    spread: minor(charges.spread),
    fees: minor(charges.fee),
    iof: minor(charges.tax),
  };
}

/**
 * Position and profit per day and token, starting at `from`. `days` must be all days up to the end, oldest first, so
 * that positions accumulate since the first trade. The position is valued at the average market rate of the day's own
 * trades:
 *
 * rate = floor10(BRL received and paid / tokens sold and bought)
 * value = BRL position + floor2(token position * rate)
 * profit = spread + fees + (value - value of the day before)
 */
export function fxReport(days: readonly FxDay[], from: string): FxDayRecord[] {
  const before = new Map<AssetId, { tokens: bigint; brl: bigint; value: bigint }>();
  return days.flatMap((day) => {
    const last = before.get(day.asset) ?? { tokens: 0n, brl: 0n, value: 0n };
    const tokens = last.tokens - day.tokensSold + day.tokensBought;
    const brl = last.brl + day.brlReceived - day.brlPaid;
    const rate = rateOf(day);
    const value = brl + floored(tokens * rate, tenTo(BigInt(RATE_SCALE + assetOf(day.asset).scale) - BRL_SCALE));
    before.set(day.asset, { tokens, brl, value });
    if (day.day < from) return [];
    const profit = day.spread + day.fees + value - last.value;
    return [recordOf(day, { tokens, brl, rate, profit })];
  });
}

/** IOF charged, by day or by month (YYYY-MM). */
export function iofPeriods(days: readonly FxDay[], from: string, by: 'day' | 'month'): IofPeriodRecord[] {
  const periods = new Map<string, { trades: number; iof: bigint }>();
  for (const { day, trades, iof } of days) {
    if (day < from) continue;
    const period = by === 'day' ? day : day.slice(0, 'YYYY-MM'.length);
    const known = periods.get(period) ?? { trades: 0, iof: 0n };
    periods.set(period, { trades: known.trades + trades, iof: known.iof + iof });
  }
  return [...periods].map(([period, { trades, iof }]) => ({ period, trades, amount: brlText(iof) }));
}

/** The rate times 10^10, in BRL per token. */
function rateOf({ asset, tokensSold, tokensBought, brlReceived, brlPaid }: FxDay): bigint {
  const tokens = tokensSold + tokensBought;
  const scale = tenTo(BigInt(RATE_SCALE + assetOf(asset).scale) - BRL_SCALE);
  return tokens === 0n ? 0n : ((brlReceived + brlPaid) * scale) / tokens;
}

function recordOf(day: FxDay, at: { tokens: bigint; brl: bigint; rate: bigint; profit: bigint }): FxDayRecord {
  const tokenText = (minor: bigint): string => Money.of(day.asset, minor).toString();
  return {
    day: day.day,
    asset: day.asset,
    trades: day.trades,
    tokensSold: tokenText(day.tokensSold),
    brlReceived: brlText(day.brlReceived),
    tokensBought: tokenText(day.tokensBought),
    brlPaid: brlText(day.brlPaid),
    spread: brlText(day.spread),
    fees: brlText(day.fees),
    iof: brlText(day.iof),
    tokenPosition: tokenText(at.tokens),
    brlPosition: brlText(at.brl),
    rate: formatDecimal(at.rate, RATE_SCALE),
    profit: brlText(at.profit),
  };
}

const brlText = (minor: bigint): string => Money.of(BRL, minor).toString();
const tenTo = (power: bigint): bigint => 10n ** power;
/** Rounded down, also below zero. */
const floored = (value: bigint, unit: bigint): bigint => value / unit - (value % unit < 0n ? 1n : 0n);
