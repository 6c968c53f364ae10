/** What the service is told about its own work. */
export interface MovementsSettings {
  /** Key that mints: the operator of the minter contract, on every chain. */
  readonly operatorKeyId: string;
  /** Between two rounds over everything that is unfinished, ms: what was dropped or unknown is sent again. */
  readonly pollMs: number;
  /** The most that is offered for a unit of gas, wei. */
  readonly maxFeePerGas: bigint;
  /** For how long bytes wait unmined, first in the line of their key, before their fees are raised, ms. */
  readonly raiseFeeAfterMs: number;
  /** Between two reconciliations, ms. */
  readonly reconcileMs: number;
  /** The chains may lose what they had taken, as a local one does that is killed: at each start the log's bytes are compared with them. */
  readonly chainsForget: boolean;
}

export const SETTINGS = Symbol('Settings');
