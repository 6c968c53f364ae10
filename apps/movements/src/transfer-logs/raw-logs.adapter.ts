import type { AssetId } from '@ponte/kernel';
import { encodeEventTopics, toEventSelector } from 'viem';
import { CUSTODY_ABI } from '../chain/adapters/rpc/abi';
import { isAddress, isQuantity, isWord } from '../chain/adapters/rpc/json-rpc-values';
import type { Hex } from '../chain/chain.port';
import type { TransferLog } from './transfer-logs.port';

/** The first topic of an ERC-20 (and TIP-20) transfer. */
export const TRANSFER_TOPIC = toEventSelector(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
);

/** The first topic of the event with which the custody contract records that it moved a certificate. */
export const NFT_MOVED_TOPIC = encodeEventTopics({ abi: CUSTODY_ABI, eventName: 'NftMoved' })[0];

/** What a node returns where a log should be: nothing about it is certain. */
export type Returned<T> = { readonly [member in keyof T]?: unknown } | null | undefined;
export interface RawLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: Hex;
  readonly removed: boolean;
}
/** A log that `removed` marks belongs to a block that was replaced. */
export type NotedLog = TransferLog & { readonly removed: boolean };

export const lower = (text: Hex): Hex => text.toLowerCase() as Hex;
const addressIn = (topic: Hex): Hex => `0x${lower(topic).slice(-40)}`;
/** An address in a topic has twelve bytes of zeros before it. */
const isAddressWord = (topic: unknown): topic is Hex => isWord(topic) && /^0x0{24}/.test(topic);
/**
 * Null unless the log is a well-formed transfer of a known token in a block. The full address and the topic decide,
 * never a name or symbol.
 */
export function transferOf(log: Returned<RawLog>, assets: ReadonlyMap<Hex, AssetId>): NotedLog | null {
  const { address, topics, data, blockNumber, blockHash, transactionHash, logIndex, removed } = log ?? {};
  const asset = isAddress(address) ? assets.get(lower(address)) : undefined;
  const [topic, from, to, more] = Array.isArray(topics) ? (topics as readonly unknown[]) : [];
  if (
    asset === undefined ||
    topic !== TRANSFER_TOPIC ||
    !isAddressWord(from) ||
    !isAddressWord(to) ||
    more !== undefined ||
    !isWord(data) ||
    !isQuantity(blockNumber) ||
    !isWord(blockHash) ||
    !isWord(transactionHash) ||
    !isQuantity(logIndex)
  )
    return null;
  return {
    asset,
    from: addressIn(from),
    to: addressIn(to),
    units: BigInt(data),
    blockNumber: Number(blockNumber),
    blockHash: lower(blockHash),
    txHash: lower(transactionHash),
    logIndex: Number(logIndex),
    removed: removed === true,
  };
}
