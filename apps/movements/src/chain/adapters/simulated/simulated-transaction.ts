import type { Hex } from '../../chain.port';

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
