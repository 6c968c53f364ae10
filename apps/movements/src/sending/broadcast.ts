import { logged } from '@ponte/event-sourcing';
import type { Broadcast, Hex } from '../chain/chain.port';
import type { Ready } from './due-transactions';
import type { SenderParts } from './sender-parts';
import { inParallel } from './in-parallel';
import { sentIn } from '../transactions/chain-transaction.state';

/** Sends all transactions to the nodes, to each in one batch and in nonce order. */
export async function broadcast(parts: SenderParts, ready: readonly Ready[]): Promise<void> {
  const { sent, logger, tracing } = parts;
  await inParallel(
    parts,
    ready,
    async ({ intent: { transactionId, chain, from }, signed: { nonce, raw, txHash }, trace }) => {
      const { correlationId, traceparent } = trace;
      const result = await tracing.inSpan(traceparent === undefined ? undefined : { traceparent, correlationId }, () =>
        send(parts, transactionId, raw as Hex),
      );
      if (result.outcome === 'taken')
        sent.notify({ chain, from, transaction: { id: transactionId, nonce, txHash, correlationId } });
      else
        logger[severity(result)](
          { ...logged(trace), ...result, transactionId, chain, nonce },
          'no node accepted signed bytes; they will be sent again',
        );
      return [];
    },
  );
}

/**
 * Sends the bytes. While nodes refuse them as invalid, also those that they replaced, the newest first: nodes may
 * refuse a fee because it is too high.
 */
async function send({ served: { evm }, transactions }: SenderParts, transactionId: string, raw: Hex) {
  const newest = await evm.broadcast(raw);
  if (newest.outcome !== 'refused' || newest.reason !== 'invalid') return newest;
  const attempts = sentIn(await transactions.load(transactionId))?.attempts ?? [];
  for (const earlier of attempts.toReversed()) {
    if (earlier.raw === raw) continue;
    const result = await evm.broadcast(earlier.raw as Hex);
    if (result.outcome === 'taken') return result;
  }
  return newest;
}

/** A missing answer is common. A refusal needs attention: the key has no gas money, or its fee is too low by now. */
const severity = (result: Exclude<Broadcast, { outcome: 'taken' }>): 'warn' | 'error' =>
  result.outcome === 'unknown' ? 'warn' : 'error';
