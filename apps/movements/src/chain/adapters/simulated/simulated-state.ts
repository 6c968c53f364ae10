import type { AssetId } from '@ponte/kernel';
import type { Hex, ReferenceTaker } from '../../chain.port';
import { SELECTORS } from '../rpc/abi';
import { CERTIFICATE_SELECTORS } from '../rpc/certificates';
import { walletAddress } from '../custody';
import type { Deployment } from '../deployment';
import { SimulatedCertificates } from './simulated-certificates';
import { addressIn, selectorIn, wordsIn } from '../rpc/words';

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

/**
 * What the contracts of a simulated chain hold: balances, references and nonces. Rebuilt from the blocks after a reorg.
 */
export class SimulatedState {
  private readonly nonces = new Map<Hex, number>();
  private readonly balances = new Map<string, bigint>();
  /** By which transaction each reference was taken. */
  private readonly references: Readonly<Record<ReferenceTaker, Map<Hex, Hex>>> = {
    minter: new Map(),
    custody: new Map(),
    certificates: new Map(),
  };
  readonly certificates = new SimulatedCertificates();

  constructor(private readonly deployment: Deployment) {}

  nonceOf(sender: Hex): number {
    return this.nonces.get(sender) ?? 0;
  }

  balanceOf(asset: AssetId, holder: Hex): bigint {
    return this.balances.get(accountOf(this.deployment.tokens[asset], holder)) ?? 0n;
  }

  supplyOf(asset: AssetId): bigint {
    const of = accountOf(this.deployment.tokens[asset], '0x').slice(0, -2);
    return [...this.balances].filter(([account]) => account.startsWith(of)).reduce((sum, [, units]) => sum + units, 0n);
  }

  credit(token: Hex | undefined, holder: Hex, units: bigint): void {
    const account = accountOf(token, holder);
    this.balances.set(account, (this.balances.get(account) ?? 0n) + units);
  }

  /** By which transaction the contract took the reference; null when it has not. */
  takerOf(by: ReferenceTaker, reference: Hex): Hex | null {
    return this.references[by].get(reference) ?? null;
  }

  /**
   * Executes one transaction as the contracts would; null, or the name of the error that reverts it. Either way the
   * nonce is spent.
   */
  execute(transaction: SimulatedTransaction): string | null {
    this.nonces.set(transaction.sender, transaction.nonce + 1);
    if (transaction.revert) return 'reverted';
    if (transaction.to === this.deployment.minter) return this.mint(transaction);
    if (transaction.to === this.deployment.custody)
      return selectorIn(transaction.data) === CERTIFICATE_SELECTORS.sendNft
        ? this.sendNft(transaction)
        : this.send(transaction);
    if (transaction.to === this.deployment.certificates) return this.mintCertificate(transaction);
    const isToken = Object.values(this.deployment.tokens).some((token) => token === transaction.to);
    return isToken ? this.transfer(transaction) : null;
  }

  private mint({ data, hash }: SimulatedTransaction): string | null {
    const selector = selectorIn(data);
    if (selector !== SELECTORS.mint && selector !== SELECTORS.mintShares) return null;
    const [reference = NOTHING, token = NOTHING, to = NOTHING, units = NOTHING, most = NOTHING] = wordsIn(data);
    if (this.references.minter.has(reference)) return 'ReferenceAlreadyMinted';
    // A share costs one unit of what is behind it here: the simulated vault earns nothing.
    if (selector === SELECTORS.mintShares && BigInt(units) > BigInt(most)) return 'BackingTooDear';
    this.references.minter.set(reference, hash);
    this.credit(addressIn(token), addressIn(to), BigInt(units));
    return null;
  }

  private send({ data, hash }: SimulatedTransaction): string | null {
    const call = custodyCallIn(data);
    if (!call) return null;
    const { reference, token, amount, to, salts } = call;
    if (this.references.custody.has(reference)) return 'ReferenceAlreadyMoved';
    // A share brings one unit of what is behind it here: the simulated vault earns nothing.
    if (call.least > BigInt(amount)) return 'SharesBringTooLittle';
    const accounts = salts.map((salt) => walletAddress(this.deployment.custody, salt));
    let missing = BigInt(amount);
    const parts = accounts.map((holder): readonly [Hex, bigint] => {
      const held = this.balances.get(accountOf(addressIn(token), holder)) ?? 0n;
      const part = held < missing ? held : missing;
      missing -= part;
      return [holder, part];
    });
    if (missing > 0n) return 'WalletsHoldTooLittle';
    this.references.custody.set(reference, hash);
    for (const [holder, part] of parts) this.credit(addressIn(token), holder, -part);
    if (to) this.credit(addressIn(token), addressIn(to), BigInt(amount));
    return null;
  }

  private mintCertificate({ data, hash }: SimulatedTransaction): string | null {
    if (selectorIn(data) !== CERTIFICATE_SELECTORS.mint) return null;
    const [reference = NOTHING, to = NOTHING] = wordsIn(data);
    if (this.references.certificates.has(reference)) return 'ReferenceAlreadyMinted';
    this.references.certificates.set(reference, hash);
    this.certificates.mint(hash, reference, addressIn(to));
    return null;
  }

  private sendNft({ data, hash }: SimulatedTransaction): string | null {
    const [reference = NOTHING, salt = NOTHING, , to = NOTHING, certificate = NOTHING] = wordsIn(data);
    if (this.references.custody.has(reference)) return 'ReferenceAlreadyMoved';
    const movement = { certificate, from: walletAddress(this.deployment.custody, salt), to: addressIn(to) };
    const fault = this.certificates.move(hash, movement);
    if (fault === null) this.references.custody.set(reference, hash);
    return fault;
  }

  private transfer({ sender, to, data }: SimulatedTransaction): string | null {
    if (selectorIn(data) !== SELECTORS.transfer) return null;
    const [receiver = NOTHING, amount = NOTHING] = wordsIn(data);
    const units = BigInt(amount);
    if ((this.balances.get(accountOf(to, sender)) ?? 0n) < units) return 'ERC20InsufficientBalance';
    this.credit(to, sender, -units);
    this.credit(to, addressIn(receiver), units);
    return null;
  }
}

interface CustodyCall {
  readonly reference: Hex;
  readonly token: Hex;
  readonly amount: Hex;
  /** Null when the tokens are burned. */
  readonly to: Hex | null;
  readonly least: bigint;
  readonly salts: readonly Hex[];
}

function custodyCallIn(data: Hex): CustodyCall | undefined {
  const words = wordsIn(data);
  const [reference = NOTHING, token = NOTHING] = words;
  switch (selectorIn(data)) {
    case SELECTORS.sendToken: {
      const [, , to = NOTHING, amount = NOTHING, , , ...salts] = words;
      return { reference, token, amount, to, least: 0n, salts };
    }
    case SELECTORS.redeemToken: {
      const [, , amount = NOTHING, , , ...salts] = words;
      return { reference, token, amount, to: null, least: 0n, salts };
    }
    case SELECTORS.redeemShares: {
      const [, , amount = NOTHING, least = NOTHING, , , ...salts] = words;
      return { reference, token, amount, to: null, least: BigInt(least), salts };
    }
    default:
      return undefined;
  }
}

const NOTHING: Hex = '0x0';

function accountOf(token: Hex | undefined, holder: Hex): string {
  return `${token ?? ''} ${holder}`;
}
