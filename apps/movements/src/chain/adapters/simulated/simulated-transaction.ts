import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import type { Hex } from '../../chain.port';
import { simulatedContentOf, simulatedSenderOf } from '../../../signer/adapters/simulated.keystore.adapter';

export interface SimulatedTransaction {
  readonly hash: Hex;
  readonly sender: Hex;
  readonly nonce: number;
  readonly to: Hex | undefined;
  readonly data: Hex;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Scripted: mined, but reverted. */
  readonly revert: boolean;
}

/** A Transfer log. Addresses are lower-case. */
export interface SimulatedTransfer {
  readonly token: Hex;
  readonly from: Hex;
  readonly to: Hex;
  readonly units: bigint;
}

/** What a mined transaction did. */
export interface SimulatedExecution {
  /** Null, or the name of the error with which it reverted. */
  readonly reason: string | null;
  /** Null when no tokens reached an address. */
  readonly transfer: SimulatedTransfer | null;
}

/** Reads signed bytes; undefined when they are not a transaction of the chain. */
export async function simulatedTransactionOf(raw: Hex, chain: number): Promise<SimulatedTransaction | undefined> {
  const made = simulatedContentOf(raw);
  if (made) return made.chainId === chain ? { ...made, revert: false } : undefined;
  try {
    const transaction = parseTransaction(raw as `0x02${string}`);
    const { to, nonce = 0, data = '0x', chainId, r, s, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = transaction;
    if (chainId !== chain) return undefined;
    const recovered = (): Promise<string> =>
      recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
    const sender = simulatedSenderOf(r, s) ?? (await recovered());
    const fees = { maxFeePerGas, maxPriorityFeePerGas };
    return {
      hash: keccak256(raw),
      sender: sender.toLowerCase() as Hex,
      nonce,
      to: to?.toLowerCase() as Hex | undefined,
      data,
      ...fees,
      revert: false,
    };
  } catch {
    return undefined;
  }
}
