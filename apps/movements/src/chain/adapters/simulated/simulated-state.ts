import type { Hex, ReferenceTaker } from '../../chain.port';
import { toHex, zeroAddress } from 'viem';
import { lowerCase, readCertificateCall, readCustodyCall, readMinterCall, readTokenCall } from '../rpc/abi';
import { walletAddress } from '../custody';
import type { Deployment } from '../deployment';
import { SimulatedBalances } from './simulated-balances';
import { SimulatedCertificates } from './simulated.certificate-chain.adapter';
import type { SimulatedRoles } from './simulated-roles';
import type { SimulatedExecution, SimulatedTransaction, SimulatedTransfer } from './simulated-transaction';

/**
 * What the contracts of a simulated chain hold: balances, references and nonces. Rebuilt from the blocks after a reorg.
 * Balances and deployments can also be read as they were at an earlier block.
 */
export class SimulatedState {
  private readonly nonces = new Map<Hex, number>();
  /** The block in which each wallet was deployed. */
  private readonly deployedWallets = new Map<Hex, number>();
  /** The block whose transactions are executed. */
  private block = 0;
  /** The log of the transaction that is executed. */
  private transferred: SimulatedTransfer | null = null;
  /** The hash of the transaction that took each reference. */
  private readonly references: Readonly<Record<ReferenceTaker, Map<Hex, Hex>>> = {
    minter: new Map(),
    custody: new Map(),
    certificates: new Map(),
  };
  readonly certificates = new SimulatedCertificates();
  readonly balances = new SimulatedBalances();

  constructor(
    private readonly deployment: Deployment,
    private readonly roles: SimulatedRoles,
  ) {}

  nonceOf(sender: Hex): number {
    return this.nonces.get(sender) ?? 0;
  }

  /** Whether anything had left the wallet after that block. */
  isDeployed(wallet: Hex, block: number): boolean {
    return (this.deployedWallets.get(wallet) ?? Number.POSITIVE_INFINITY) <= block;
  }

  /** The hash of the transaction in which the contract took the reference; null when it has not. */
  takerOf(by: ReferenceTaker, reference: Hex): Hex | null {
    return this.references[by].get(reference) ?? null;
  }

  /** Executes one transaction of that block as the contracts would. Reverted or not, it uses the nonce. */
  execute(transaction: SimulatedTransaction, block: number): SimulatedExecution {
    this.block = block;
    this.transferred = null;
    this.nonces.set(transaction.sender, transaction.nonce + 1);
    const reason = transaction.revert ? 'reverted' : this.call(transaction);
    return { reason, transfer: this.transferred };
  }

  /** Null, or the name of the error with which the call reverts. */
  private call(transaction: SimulatedTransaction): string | null {
    const { minter, custody, certificates, tokens } = this.deployment;
    const isOurs = [minter, custody, certificates].includes(transaction.to);
    if (isOurs && !this.roles.isOperator(transaction.sender, this.block)) return 'AccessControlUnauthorizedAccount';
    if (transaction.to === minter) return this.mint(transaction);
    if (transaction.to === custody) return this.move(transaction);
    if (transaction.to === certificates) return this.mintCertificate(transaction);
    const isToken = Object.values(tokens).some((token) => token === transaction.to);
    return isToken ? this.transfer(transaction) : null;
  }

  private deploy(wallet: Hex): void {
    if (!this.deployedWallets.has(wallet)) this.deployedWallets.set(wallet, this.block);
  }

  private mint({ data, hash }: SimulatedTransaction): string | null {
    const call = readMinterCall(data);
    if (call?.functionName !== 'mint' && call?.functionName !== 'mintShares') return null;
    const [reference, token, to, units, most = units] = call.args;
    if (this.references.minter.has(reference)) return 'ReferenceAlreadyMinted';
    // A share costs one unit of the underlying token: the simulated vault earns nothing.
    if (units > most) return 'BackingTooDear';
    this.references.minter.set(reference, hash);
    this.receive({ token: lowerCase(token), from: zeroAddress, to: lowerCase(to), units });
    return null;
  }

  /** A call of the custody contract. */
  private move({ data, hash }: SimulatedTransaction): string | null {
    const call = readCustodyCall(data);
    switch (call?.functionName) {
      case 'sendToken': {
        const [reference, token, to, amount, salts] = call.args;
        return this.send(hash, { reference, token: lowerCase(token), amount, to: lowerCase(to), least: 0n, salts });
      }
      case 'redeemToken': {
        const [reference, token, amount, salts] = call.args;
        return this.send(hash, { reference, token: lowerCase(token), amount, to: null, least: 0n, salts });
      }
      case 'redeemShares': {
        const [reference, token, amount, least, salts] = call.args;
        return this.send(hash, { reference, token: lowerCase(token), amount, to: null, least, salts });
      }
      case 'sendNft': {
        const [reference, salt, , to, tokenId] = call.args;
        if (this.references.custody.has(reference)) return 'ReferenceAlreadyMoved';
        const certificate = toHex(tokenId, { size: 32 });
        const from = walletAddress(this.deployment.custody, salt);
        const fault = this.certificates.move(hash, { certificate, from, to: lowerCase(to) });
        if (fault !== null) return fault;
        this.references.custody.set(reference, hash);
        this.deploy(from);
        return null;
      }
      default:
        return null;
    }
  }

  private send(hash: Hex, { reference, token, amount, to, least, salts }: CustodyCall): string | null {
    if (this.references.custody.has(reference)) return 'ReferenceAlreadyMoved';
    // A share returns one unit of the underlying token: the simulated vault earns nothing.
    if (least > amount) return 'SharesBringTooLittle';
    const accounts = salts.map((salt) => walletAddress(this.deployment.custody, salt));
    let missing = amount;
    const parts = accounts.map((holder): readonly [Hex, bigint] => {
      const balance = this.balances.of(token, holder);
      const part = balance < missing ? balance : missing;
      missing -= part;
      return [holder, part];
    });
    if (missing > 0n) return 'WalletsHoldTooLittle';
    this.references.custody.set(reference, hash);
    for (const [holder, part] of parts.filter(([, units]) => units > 0n)) {
      this.balances.credit(this.block, token, holder, -part);
      this.deploy(holder);
    }
    // All the tokens come from our wallets, so one log from the first wallet is enough.
    const [from] = accounts;
    if (to && from) this.receive({ token, from, to, units: amount });
    return null;
  }

  private mintCertificate({ data, hash }: SimulatedTransaction): string | null {
    const call = readCertificateCall(data);
    if (call?.functionName !== 'mint') return null;
    const [reference, to] = call.args;
    if (this.references.certificates.has(reference)) return 'ReferenceAlreadyMinted';
    this.references.certificates.set(reference, hash);
    this.certificates.mint(hash, reference, lowerCase(to));
    return null;
  }

  private transfer({ sender, to, data }: SimulatedTransaction): string | null {
    const call = readTokenCall(data);
    if (to === undefined || call?.functionName !== 'transfer') return null;
    const [receiver, units] = call.args;
    if (this.balances.of(to, sender) < units) return 'ERC20InsufficientBalance';
    this.balances.credit(this.block, to, sender, -units);
    this.receive({ token: to, from: sender, to: lowerCase(receiver), units });
    return null;
  }

  private receive(transfer: SimulatedTransfer): void {
    this.balances.credit(this.block, transfer.token, transfer.to, transfer.units);
    this.transferred = transfer;
  }
}

interface CustodyCall {
  readonly reference: Hex;
  readonly token: Hex;
  readonly amount: bigint;
  /** Null when the tokens are burned. */
  readonly to: Hex | null;
  readonly least: bigint;
  readonly salts: readonly Hex[];
}
