import type { NoncesAllocated } from '@ponte/contracts';
import type { EventStore, ReadOptions } from '@ponte/event-sourcing';
import { streamName, upcaster } from '@ponte/event-sourcing';
import { CHAINS, instrument, lowestWhere } from '@ponte/kernel';
import { signerKey, signerKeyId } from './signer-key.decider';
import type { Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';

/**
 * Allocations that are read again although the chain has mined what they were for: more than are made between the
 * moment in which a process finds that a transaction has no nonce and the one in which it asks for one.
 */
const READ_AGAIN = 1_000;

const current = upcaster(signerKey.events);

/**
 * Where in the stream of a key the nonce, or the first one behind it, was allocated; behind its end when none was.
 * Nonces grow with revisions, and none is allocated twice or taken back. Nearly each event allocates one or more, so
 * the search ends at the revision of the nonce's own number: where events withheld a nonce, that is somewhat before it.
 * Some twenty reads of one event, however long the stream is.
 */
export const revisionReaching = (store: Pick<EventStore, 'read'>, stream: string, nonce: number): Promise<number> =>
  lowestWhere(0, nonce, async (revision) => {
    const [event] = await store.read(stream, { from: revision, limit: 1 });
    return event === undefined || endOf(current<NoncesAllocated>(event).data) > nonce;
  });

const endOf = ({ first, transactionIds }: NoncesAllocated['data']): number => first + transactionIds.length;

/**
 * The store, with the streams of keys beginning where they are still of use: a transaction that asks for its nonce
 * again is not signed, so the chain has not mined its nonce, even if another process has the key. Reads of such a
 * stream reject with `Unavailable` when the node does not answer.
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
  if (chain === undefined) throw new Error(`${stream} is no stream of a key`);
  return { chain, address: stream.slice(streamName(signerKey.category, signerKeyId(chain, '')).length) as Hex };
}
