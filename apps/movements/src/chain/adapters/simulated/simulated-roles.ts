import type { Hex } from '../../chain.port';

interface RoleChange {
  readonly address: Hex;
  readonly isOperator: boolean;
  /** The first block in which it applies. */
  readonly from: number;
}

/** The operators of the contracts of a simulated chain: every address, until a test revokes its role. */
export class SimulatedRoles {
  private readonly changes: RoleChange[] = [];

  change(address: Hex, isOperator: boolean, from: number): void {
    this.changes.push({ address, isOperator, from });
  }

  /** Whether calls of the address were accepted in that block. */
  isOperator(address: Hex, block: number): boolean {
    return this.changes.findLast((one) => one.address === address && one.from <= block)?.isOperator ?? true;
  }
}
