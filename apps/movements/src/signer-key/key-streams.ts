import type { NoncesAllocated } from '@ponte/contracts';
import type { EventStore, ReadOptions } from '@ponte/event-sourcing';
import { streamName, upcaster } from '@ponte/event-sourcing';
import { CHAINS, instrument, lowestWhere } from '@ponte/kernel';
import { signerKey, signerKeyId } from './signer-key.decider';
import type { Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';

/**
 * How many earlier allocations are read although the chain has mined them: more than can be made between a process's
 * check that a transaction has no nonce and its request for one.
 */
const READ_AGAIN = 1_000;

const current = upcaster(signerKey.events);

/**
 * The revision of a key's stream that allocated the nonce or the first one after it; the end of the stream when none
 * did. Nonces grow with revisions, and none is allocated twice or taken back. The search ends at the revision that
 * equals the nonce, because nearly every event allocates at least one; where events withheld nonces, the result is
 * somewhat too low. Takes about twenty reads of one event, however long the stream is.
 */
export const revisionReaching = (store: Pick<EventStore, 'read'>, stream: string, nonce: number): Promise<number> =>
  lowestWhere(nonce, async (revision) => {
    const [event] = await store.read(stream, { from: revision, limit: 1 });
    return event === undefined || endOf(current<NoncesAllocated>(event).data) > nonce;
  });

const endOf = ({ first, transactionIds }: NoncesAllocated['data']): number => first + transactionIds.length;

/**
 * The store, in which streams of keys start at the first event that still matters: a transaction that requests its
 * nonce again is unsigned, so its nonce is unmined, even if another process has the key. A withheld nonce may be
 * forgotten, because nothing is returned for its transaction before that one has ended. Reads of such a stream reject
 * with `Unavailable` when the node does not answer.
 */
export function fromUnmined(store: EventStore, chains: ServedChains): EventStore {
  const read = async (stream: string, options: ReadOptions = {}) => {
    if (options.from !== undefined) return store.read(stream, options);
    const { chain, address } = keyOf(stream);
    const nonce = await chains.of(chain).evm.nextNonce(address, 'latest');
    const from = Math.max(0, (await revisionReaching(store, stream, nonce)) - READ_AGAIN);
    return store.read(stream, { ...options, from });
  };
  return instrument(store, [() => ({ read })]);
}

function keyOf(stream: string) {
  const chain = CHAINS.find((one) => stream.startsWith(streamName(signerKey.category, signerKeyId(one, ''))));
  if (chain === undefined) throw new Error(`${stream} is not a stream of a key`);
  return { chain, address: stream.slice(streamName(signerKey.category, signerKeyId(chain, '')).length) as Hex };
}
