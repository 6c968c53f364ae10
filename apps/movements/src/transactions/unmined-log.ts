import type { ChainTransactionEvent, NoncesAllocated } from '@ponte/contracts';
import type { EventStore, Position } from '@ponte/event-sourcing';
import { streamName, upcaster } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import type { StoredTransaction } from '../sending/resend-forgotten';
import { chainTransaction } from './chain-transaction.decider';
import { signerKey, signerKeyId } from '../signer-key/signer-key.decider';
import type { EvmChain, Hex } from '../chain/chain.port';
import { revisionReaching } from '../signer-key/key-streams';

interface UnminedParts {
  readonly store: Pick<EventStore, 'read' | 'comparePositions'>;
  readonly evm: Pick<EvmChain, 'chain' | 'nextNonce'>;
  /** Every address that may have signed for the chain. */
  readonly senders: ReadonlySet<Hex>;
}

interface Placed {
  readonly transaction: StoredTransaction;
  readonly position: Position;
}

/** Allocations per read, of up to 64 transactions each. */
const PAGE = 16;
/** Transaction streams that are read in parallel. */
const SIDE_BY_SIDE = 32;

const allocation = upcaster(signerKey.events);
const current = upcaster(chainTransaction.events);

/**
 * Every transaction whose bytes are in the log and whose nonce the chain has not mined. Those of one sender come in the
 * order of its nonces, those of several senders in the order of the log. Reads the events of these transactions and
 * about twenty more, however long the log is. Rejects with `Unavailable` when the node or the store does not answer.
 */
export async function* unminedIn({ store, evm, senders }: UnminedParts): AsyncGenerator<StoredTransaction> {
  const lines = await Promise.all(
    [...senders].map(async (sender) => {
      const line = signedFrom(store, evm.chain, sender, await evm.nextNonce(sender, 'latest'));
      return { line, head: await nextOf(line) };
    }),
  );
  for (;;) {
    const first = lines.reduce<(typeof lines)[number] | undefined>(
      (best, one) =>
        one.head && (!best?.head || store.comparePositions(one.head.position, best.head.position) < 0) ? one : best,
      undefined,
    );
    if (!first?.head) return;
    yield first.head.transaction;
    first.head = await nextOf(first.line);
  }
}

async function nextOf(line: AsyncGenerator<Placed>): Promise<Placed | undefined> {
  const { done, value } = await line.next();
  return done ? undefined : value;
}

/** What the sender has signed, starting at the nonce. A transaction with a nonce but without bytes is skipped. */
async function* signedFrom(
  store: UnminedParts['store'],
  chain: Chain,
  sender: Hex,
  nonce: number,
): AsyncGenerator<Placed> {
  const stream = streamName(signerKey.category, signerKeyId(chain, sender));
  for (let from = await revisionReaching(store, stream, nonce); ;) {
    const page = await store.read(stream, { from, limit: PAGE });
    const ids = page
      .map((event) => allocation<NoncesAllocated>(event).data)
      .flatMap(({ first, transactionIds }) => transactionIds.slice(Math.max(0, nonce - first)));
    for (let at = 0; at < ids.length; at += SIDE_BY_SIDE) {
      const signedTransactions = await Promise.all(
        ids.slice(at, at + SIDE_BY_SIDE).map((id) => signedBytes(store, id)),
      );
      yield* signedTransactions.filter((one) => one !== undefined);
    }
    if (page.length < PAGE) return;
    from += page.length;
  }
}

/** Returns the confirmed bytes of the transaction, or else those with the highest fees, at the first one's position. */
async function signedBytes(store: UnminedParts['store'], transactionId: string): Promise<Placed | undefined> {
  const attempts: Placed[] = [];
  let confirmed: string | undefined;
  for (const recorded of await store.read(streamName(chainTransaction.category, transactionId))) {
    const { type, data } = current<ChainTransactionEvent>(recorded);
    if (type === 'TransactionConfirmed' || type === 'TransactionRestored') confirmed = data.txHash;
    if (type !== 'TransactionSigned' && type !== 'TransactionFeeRaised') continue;
    attempts.push({
      transaction: { from: data.from as Hex, nonce: data.nonce, raw: data.raw as Hex, hash: data.txHash as Hex },
      position: recorded.position,
    });
  }
  const chosen = attempts.find(({ transaction: { hash } }) => hash === confirmed) ?? attempts.at(-1);
  const [first] = attempts;
  return chosen && first && { ...chosen, position: first.position };
}
