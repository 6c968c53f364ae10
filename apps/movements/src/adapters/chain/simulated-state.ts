import type { AssetId } from '@ponte/kernel';
import { decodeFunctionData } from 'viem';
import type { Hex } from '../../ports/chain';
import { MINTER_ABI, TOKEN_ABI } from './abi';
import type { Deployment } from './deployment';

export interface SimulatedTransaction {
  readonly hash: Hex;
  readonly sender: Hex;
  readonly nonce: number;
  readonly to: Hex | undefined;
  readonly data: Hex;
  /** Scripted: mined, but reverted. */
  readonly revert: boolean;
}

/** What the contracts of a simulated chain hold: balances, references and nonces. Rebuilt from the blocks after a reorg. */
export class SimulatedState {
  private readonly nonces = new Map<Hex, number>();
  private readonly balances = new Map<string, bigint>();
  /** By which transaction each reference was taken. */
  private readonly references = new Map<Hex, Hex>();

  constructor(private readonly deployment: Deployment) {}

  nonceOf(sender: Hex): number {
    return this.nonces.get(sender) ?? 0;
  }

  balanceOf(asset: AssetId, holder: Hex): bigint {
    return this.balances.get(accountOf(this.deployment.tokens[asset], holder)) ?? 0n;
  }

  credit(token: Hex | undefined, holder: Hex, units: bigint): void {
    const account = accountOf(token, holder);
    this.balances.set(account, (this.balances.get(account) ?? 0n) + units);
  }

  hasMinted(reference: Hex): boolean {
    return this.references.has(reference);
  }

  minterOf(reference: Hex): Hex | null {
    return this.references.get(reference) ?? null;
  }

  /** Executes one transaction as the contracts would; null, or the name of the error that reverts it. Either way the nonce is spent. */
  execute(transaction: SimulatedTransaction): string | null {
    this.nonces.set(transaction.sender, transaction.nonce + 1);
    if (transaction.revert) return 'reverted';
    if (transaction.to === this.deployment.minter) return this.mint(transaction);
    const isToken = Object.values(this.deployment.tokens).some((token) => token === transaction.to);
    return isToken ? this.transfer(transaction) : null;
  }

  private mint({ data, hash }: SimulatedTransaction): string | null {
    const { functionName, args } = decodeFunctionData({ abi: MINTER_ABI, data });
    if (functionName === 'minted') return null;
    const [reference, token, to, units] = args;
    if (this.references.has(reference)) return 'ReferenceAlreadyMinted';
    // A share costs one unit of what is behind it here: the simulated vault earns nothing.
    if (functionName === 'mintShares' && units > args[4]) return 'BackingTooDear';
    this.references.set(reference, hash);
    this.credit(lower(token), lower(to), units);
    return null;
  }

  private transfer({ sender, to, data }: SimulatedTransaction): string | null {
    const call = decodeFunctionData({ abi: TOKEN_ABI, data });
    if (call.functionName !== 'transfer') return null;
    const [receiver, units] = call.args;
    if ((this.balances.get(accountOf(to, sender)) ?? 0n) < units) return 'ERC20InsufficientBalance';
    this.credit(to, sender, -units);
    this.credit(to, lower(receiver), units);
    return null;
  }
}

function accountOf(token: Hex | undefined, holder: Hex): string {
  return `${token ?? ''} ${holder}`;
}

/** viem decodes addresses with their checksum in the case of the letters. */
function lower(address: Hex): Hex {
  return address.toLowerCase() as Hex;
}
