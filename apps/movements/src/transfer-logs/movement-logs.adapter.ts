import type { Abi } from 'viem';
import { encodeEventTopics } from 'viem';
import type { Hex, TokenRequest } from '../chain/chain.port';
import type { Deployment } from '../chain/adapters/deployment';
import { contractOf } from '../chain/adapters/deployment';
import { CUSTODY_ABI, MINTER_ABI, lowerCase } from '../chain/adapters/rpc/abi';
import type { Returned } from '../chain/adapters/rpc/json-rpc-node';
import { malformed } from '../chain/adapters/rpc/json-rpc-node';
import { isAddress, isBytes } from '../chain/adapters/rpc/json-rpc-values';

/** A log with which one of our contracts records a movement of tokens. */
export interface MovementLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  /** The units; for a redemption then the units of the token that were burned. */
  readonly data: Hex;
}

/** The indexed part of such a log. */
interface LoggedMovement {
  readonly kind: TokenRequest['kind'];
  readonly reference: Hex;
  /** Address of its contract. */
  readonly token: Hex;
  /** Absent for a redemption. */
  readonly to?: Hex;
}

const EVENTS: Readonly<
  Record<TokenRequest['kind'], { readonly by: 'minter' | 'custody'; readonly abi: Abi; readonly eventName: string }>
> = {
  mint: { by: 'minter', abi: MINTER_ABI, eventName: 'Minted' },
  redemption: { by: 'custody', abi: CUSTODY_ABI, eventName: 'Redeemed' },
  'token-movement': { by: 'custody', abi: CUSTODY_ABI, eventName: 'TokenMoved' },
};

/** Address and topics of the log of a movement. */
export function movementLog(
  deployment: Deployment,
  { kind, reference, ...args }: LoggedMovement,
): Omit<MovementLog, 'data'> {
  const { by, abi, eventName } = EVENTS[kind];
  const topics = encodeEventTopics({ abi, eventName, args: { ref: reference, ...args } }) as Hex[];
  return { address: deployment[by], topics };
}

/**
 * Whether one of the logs of a receipt records this movement. The wallets from which tokens were taken, and the price
 * of a minted share, are not in the log.
 */
export function showsMovement(logs: readonly unknown[], deployment: Deployment, request: TokenRequest): boolean {
  const { kind, reference, asset, units } = request;
  const to = request.kind === 'redemption' ? {} : { to: request.to };
  const wanted = movementLog(deployment, { kind, reference, token: contractOf(deployment, asset), ...to });
  const leastBurned = request.kind === 'redemption' ? (request.minBacking ?? units) : 0n;
  return logs.some((log) => {
    const { address, topics, data } = (log ?? {}) as NonNullable<Returned<MovementLog>>;
    // A log that cannot be read might be that of the movement.
    if (!isAddress(address) || !Array.isArray(topics) || !isBytes(data)) return malformed('eth_getTransactionReceipt');
    const isWanted =
      lowerCase(address) === wanted.address &&
      topics.length === wanted.topics.length &&
      wanted.topics.every((topic, at) => topic === topics[at]);
    if (!isWanted) return false;
    const [moved, burned = 0n] = wordsIn(data);
    return moved === units && burned >= leastBurned;
  });
}

/** The numbers of 256 bits in the data of a log. */
const wordsIn = (data: Hex): bigint[] => (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
