import type { Hex } from '../../chain.port';

/** Token balances on a simulated chain, now and after each earlier block. `token` is the address of the contract. */
export class SimulatedBalances {
  private readonly now = new Map<string, bigint>();
  /** All changes by transactions, in the order of their blocks. */
  private readonly changes: Array<{ readonly block: number; readonly account: string; readonly units: bigint }> = [];

  /** The balance now, or after that block. */
  of(token: Hex | undefined, holder: Hex, block = Number.POSITIVE_INFINITY): bigint {
    const own = accountOf(token, holder);
    return (this.now.get(own) ?? 0n) - this.changeSince(block, (account) => account === own);
  }

  /** All balances of the token together after that block. */
  supplyOf(token: Hex | undefined, block: number): bigint {
    const prefix = accountOf(token, '');
    const balances = [...this.now].filter(([account]) => account.startsWith(prefix));
    const now = balances.reduce((sum, [, units]) => sum + units, 0n);
    return now - this.changeSince(block, (account) => account.startsWith(prefix));
  }

  /** Credits units that no transaction moved: they count as there from the first block on. */
  fund(token: Hex | undefined, holder: Hex, units: bigint): void {
    const account = accountOf(token, holder);
    this.now.set(account, (this.now.get(account) ?? 0n) + units);
  }

  /** Credits units in a block that is not below that of the last credit; debits when they are negative. */
  credit(block: number, token: Hex | undefined, holder: Hex, units: bigint): void {
    this.changes.push({ block, account: accountOf(token, holder), units });
    this.fund(token, holder, units);
  }

  private changeSince(block: number, isCounted: (account: string) => boolean): bigint {
    let sum = 0n;
    for (let at = this.changes.length - 1; at >= 0; at -= 1) {
      const change = this.changes[at];
      if (change === undefined || change.block <= block) break;
      if (isCounted(change.account)) sum += change.units;
    }
    return sum;
  }
}

function accountOf(token: Hex | undefined, holder: string): string {
  return `${token ?? ''} ${holder}`;
}
