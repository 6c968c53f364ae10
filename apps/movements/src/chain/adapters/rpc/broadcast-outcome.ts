import { BaseError, HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem';
import type { Broadcast, BroadcastRefusal } from '../../chain.port';

/** Error messages of geth, reth, erigon, nethermind, besu and anvil: JSON-RPC has one code for all of these errors. */
const REFUSALS: ReadonlyArray<readonly [RegExp, BroadcastRefusal]> = [
  [/nonce too low|nonce is too low|old nonce|nonce already used/i, 'nonce-used'],
  [/underpriced|fee too low|max fee per gas less than block base fee|fee cap .*less than|feetoolow/i, 'fee-too-low'],
  [/insufficient funds|insufficientfunds|insufficient balance|not enough funds/i, 'insufficient-gas-money'],
  [/invalid|decode|rlp|chain ?id|intrinsic gas|exceeds|fee cap exceeded|signature|sender/i, 'invalid'],
];

const ALREADY_HELD = /already (known|imported|in (the )?(mem)?pool)|\bknown transaction|alreadyknown/i;

/** Longest message kept: it goes into logs and events. */
const MESSAGE_LIMIT = 200;

/** The node serves a chain other than the one that it is configured for. */
export class WrongChain extends Error {
  override readonly name = 'OtherChain';
}

/** What a failed `eth_sendRawTransaction` means. Everything but a clear answer is `unknown`, never a refusal. */
export function broadcastOutcomeOf(error: unknown): Broadcast {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  if (!(answer instanceof RpcRequestError)) return { outcome: 'unknown', message: outageOf(error) };
  const message = answer.details.slice(0, MESSAGE_LIMIT);
  if (ALREADY_HELD.test(message)) return { outcome: 'taken' };
  const reason = REFUSALS.find(([words]) => words.test(message))?.[1];
  return reason === undefined ? { outcome: 'unknown', message } : { outcome: 'refused', reason, message };
}

/** Whether the node did not answer at all (HTTP error or timeout), as opposed to answering with an error. */
export function isOutage(error: unknown): boolean {
  const cause =
    error instanceof BaseError
      ? error.walk((inner) => inner instanceof HttpRequestError || inner instanceof TimeoutError)
      : null;
  return cause !== null;
}

/** Whether the answer of the node was cut off because of its size. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ResponseBodyTooLargeError) !== null;

/** The kind of outage, without the request: a provider's URL contains its API key. */
export function outageOf(error: unknown): string {
  if (error instanceof WrongChain) return error.message;
  if (!(error instanceof BaseError)) return 'the node did not answer';
  if (error.walk((cause) => cause instanceof TimeoutError) !== null) return 'the node did not answer in time';
  if (isTooLarge(error)) return 'the answer of the node is too large';
  const http = error.walk((cause) => cause instanceof HttpRequestError);
  if (http instanceof HttpRequestError && http.status !== undefined) return `the node answered HTTP ${http.status}`;
  return error.name;
}
