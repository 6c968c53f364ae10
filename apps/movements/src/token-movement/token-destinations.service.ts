import { Inject, Injectable } from '@nestjs/common';
import type { Chain } from '@ponte/kernel';
import { refuse } from '@ponte/kernel';
import type { MovementReceiver } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { SigningKeys } from '../signer-key/signing-keys.read-model';
import { AccountWallets } from '../wallet/account-wallets.service';

const IS_OF_THE_HOUSE =
  'is a token, a contract, the treasury or an operator of the service, where nothing would be credited';

const IS_OF_A_CLOSED_ACCOUNT = 'is a wallet of a closed account, where nothing would be credited';

/** The house addresses on a chain. Customers cannot send there: no account would be credited. */
@Injectable()
export class HouseAddresses {
  constructor(
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    private readonly keys: SigningKeys,
  ) {}

  /**
   * Our contracts, the known tokens, the treasury's wallet and the operators, also those that are no longer used, in
   * lower case. Rejects with `Unavailable` when the keystore does not answer.
   */
  async on(chain: Chain): Promise<ReadonlySet<string>> {
    const { evm } = this.chains.of(chain);
    const operators = await Promise.all(this.settings.heldKeyIds.map((keyId) => this.signer.addressOf(keyId)));
    const signers = [...operators, ...(await this.keys.known(chain))];
    return new Set<string>([...evm.contracts, evm.walletAddress(saltOf(treasuryWalletId(chain))), ...signers]);
  }

  /**
   * Those of the lower-case addresses that are house addresses on any chain, and why tokens sent there would be lost.
   */
  async among(addresses: readonly string[]): Promise<{ address: string; loss: string }[]> {
    const house = await Promise.all(this.chains.all.map(({ evm }) => this.on(evm.chain)));
    return addresses
      .filter((address) => house.some((onChain) => onChain.has(address)))
      .map((address) => ({ address, loss: IS_OF_THE_HOUSE }));
  }
}

interface DestinationRequest {
  readonly accountId: string;
  readonly chain: Chain;
  /** In lower case. */
  readonly address: string;
  /** The addresses that the tokens come from; null for all wallets of the account. */
  readonly sources: readonly string[] | null;
}

/** Checks to which addresses tokens of an account can be sent. */
@Injectable()
export class TokenDestinations {
  constructor(
    private readonly wallets: AccountWallets,
    private readonly house: HouseAddresses,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /**
   * Why tokens sent to a lower-case address on a chain would be lost: it is a house address, a wallet of a closed
   * account, or a wallet of an account on another chain only. A wallet is a contract, and no one can create it at the
   * same address on another chain. Null if they would not be lost. Rejects with `Unavailable` when the keystore or the
   * onboarding service does not answer.
   */
  async lossAt(chain: Chain, address: string, context: RequestContext): Promise<string | null> {
    if ((await this.house.on(chain)).has(address)) return IS_OF_THE_HOUSE;
    const receiver = await this.wallets.receiverAt(chain, address);
    if (receiver) {
      const account = await this.bus.request(GetAccount, { accountId: receiver.accountId }, context);
      return account?.status === 'closed' ? IS_OF_A_CLOSED_ACCOUNT : null;
    }
    const chains = await this.wallets.chainsOf(address);
    if (chains.length === 0) return null;
    return `is a wallet on ${chains.join(' and ')} and not on ${chain}, where what is sent to it would be lost`;
  }

  /**
   * The account whose wallet the address is; null when it is outside our custody. Refuses at `destination`: with
   * `invalid-address` for an address where tokens would be lost, and with `same-source-and-target` for a wallet that
   * the tokens come from.
   */
  async receiverAt(
    { accountId, chain, address, sources }: DestinationRequest,
    context: RequestContext,
  ): Promise<MovementReceiver | null> {
    const loss = await this.lossAt(chain, address, context);
    if (loss !== null) refuse('invalid-address', loss, 'destination');
    const receiver = await this.wallets.receiverAt(chain, address);
    // When all wallets of the account are sources, nothing would leave the account.
    const isSource = sources === null ? receiver?.accountId === accountId : sources.includes(address);
    if (isSource) refuse('same-source-and-target', 'is a wallet that the tokens come from', 'destination');
    return receiver;
  }
}
