import { BaseError, type PublicClient, decodeErrorResult, parseAbi } from 'viem';
import type { Hex } from '../../chain.port';
import { CERTIFICATE_ABI, CUSTODY_ABI, MINTER_ABI } from './abi';

const UNNAMED = 'reverted';

/** The contract errors that can revert a movement. */
const ERRORS = [
  ...MINTER_ABI,
  ...CUSTODY_ABI,
  ...CERTIFICATE_ABI,
  ...parseAbi([
    'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
    'error AccessControlUnauthorizedAccount(address account, bytes32 role)',
    'error BackingTooDear(uint256 needed, uint256 most)',
  ]),
] as const;

/**
 * The name of the error with which a mined transaction was reverted. A receipt does not contain it, so the call is
 * repeated on the state of its block. The result is approximate and only for people: no decision depends on it.
 */
export async function revertReasonOf(client: PublicClient, hash: Hex): Promise<string> {
  try {
    const { from, to, input, value, blockNumber } = await client.getTransaction({ hash });
    await client.call({ account: from, to, data: input, value, blockNumber });
    return UNNAMED;
  } catch (error) {
    const data = revertDataIn(error);
    return data === undefined ? UNNAMED : nameOf(data);
  }
}

function revertDataIn(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const cause = error.walk((inner) => 'data' in (inner as object)) as { readonly data?: unknown } | null;
  const data = cause?.data;
  const text = typeof data === 'object' && data !== null && 'data' in data ? data.data : data;
  return typeof text === 'string' && text.startsWith('0x') ? (text as Hex) : undefined;
}

function nameOf(data: Hex): string {
  try {
    return decodeErrorResult({ abi: ERRORS, data }).errorName;
  } catch {
    return UNNAMED;
  }
}
