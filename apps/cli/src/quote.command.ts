import { Command } from 'commander';
import type { Body } from '@ponte/sdk';
import { usage } from './failures';
import { fields } from './output';
import type { Host } from './session';
import { keyOf, Session } from './session';

interface QuoteOptions {
  readonly from: string;
  readonly to: string;
  readonly amount?: string;
  readonly receive?: string;
  readonly tradeReason?: string;
  readonly rateLock?: string;
  readonly idempotencyKey?: string;
}

/** `quote` leaves the checks of assets and amounts to the API, so that it supports whatever the API supports. */
export const quoteCommand = (host: Host): Command =>
  new Command('quote')
    .description('request a quote for a conversion')
    .requiredOption('--from <asset>', 'the asset to pay with, such as fiat/brl')
    .requiredOption('--to <asset>', 'the asset to receive, such as eth-base/brlv')
    .option('--amount <amount>', 'the amount to convert')
    .option('--receive <amount>', 'the amount to receive')
    .option('--trade-reason <reason>', 'the reason for a conversion between BRL and USDC or USDT')
    .option('--rate-lock <name>', 'how long the rate is guaranteed, for example 5m')
    .option('--idempotency-key <key>', 'the idempotency key of an earlier request, to repeat it safely')
    .action(async (options: QuoteOptions, command: Command) => {
      const { ponte, accountId, output, signal } = Session.of(host, command);
      if ((options.amount === undefined) === (options.receive === undefined))
        throw usage('Pass exactly one of --amount and --receive.');
      const quote = await ponte.createQuote(accountId, bodyOf(options), {
        signal,
        ...keyOf(options),
      });
      output.result(
        quote,
        () =>
          `${fields({
            quote: quote.id,
            give: `${quote['source-amount']} ${quote['source-asset']}`,
            get: `${quote['target-amount']} ${quote['target-asset']}`,
            'base rate': quote.pricing['base-rate'].amount,
            spread: `${quote.pricing.spread.amount} ${quote.pricing.spread.asset} (${quote.pricing.spread.bps} bps)`,
            fee: `${quote.pricing.fee.amount} ${quote.pricing.fee.asset}`,
            iof: `${quote.pricing.iof.amount} ${quote.pricing.iof.asset}`,
            'valid until': quote['expires-at'],
          })}\nAccept it: ponte order ${quote.id}`,
      );
    });

const bodyOf = ({ from, to, amount, receive, tradeReason, rateLock }: QuoteOptions): Body<'create-quote'> =>
  ({
    'source-asset': from,
    'target-asset': to,
    ...(amount === undefined ? {} : { 'source-amount': amount }),
    ...(receive === undefined ? {} : { 'target-amount': receive }),
    ...(tradeReason === undefined ? {} : { 'trade-reason': tradeReason }),
    ...(rateLock === undefined ? {} : { 'rate-lock': rateLock }),
  }) as Body<'create-quote'>;
