import { Inject, Injectable } from '@nestjs/common';
import type { DecimalText, Hold, WithdrawalTarget } from '@ponte/contracts';
import { CheckTokenMovement, MAX_CHECKED_HOLDS } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AssetId, Violation } from '@ponte/kernel';
import { Money, refuse, refuseAll } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { openHoldsOf } from '../hold-source/hold-source.domain';
import { availableOf, balanceOf } from '../ledger-account/ledger-account.state';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { step } from '../steps';
import type { Payee } from '../person/payee.domain';
import { KeyLookUps } from '../key-directory/key-look-ups.service';
import { PersonSealing } from '../person/person-sealing.service';
import type { ValidTarget } from './withdrawal.domain';

/** The path of the destination, which the movements service names differently. */
const atDestination = (one: Violation): Violation =>
  one.path === 'destination' ? { ...one, path: 'destination-wallet-address' } : one;

/** A target that passed every check. */
export type FoundTarget =
  Exclude<ValidTarget, { method: 'pix' }> | (Extract<ValidTarget, { method: 'pix' }> & { readonly owner: Payee });

/** The withdrawal for which a target is resolved. */
interface TargetRequest {
  readonly withdrawalId: string;
  readonly accountId: string;
  readonly parentId: string | null;
  readonly asset: AssetId;
  /** Absent if it is not a valid amount. */
  readonly amount?: DecimalText;
}

/** Resolves and checks the target of a new withdrawal, using the movements service or the key directory. */
@Injectable()
export class WithdrawalTargets {
  constructor(
    private readonly sealing: PersonSealing,
    private readonly ledgerAccounts: LedgerAccounts,
    private readonly lookUps: KeyLookUps,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /**
   * Checks the target and looks up what is missing. Writes nothing, so that a refused request leaves no key.
   * Refuses `pix-key-not-found`, `too-many-pix-key-look-ups`, `asset-not-supported`, `amount-below-minimum`,
   * `amount-above-maximum`, `invalid-address`, `same-source-and-target`, and `insufficient-balance` if earlier requests
   * will take the tokens of the wallets. Throws `rail-unavailable` if the directory does not answer.
   */
  async find(
    target: ValidTarget,
    { withdrawalId, accountId, parentId, asset, amount }: TargetRequest,
    context: RequestContext,
  ): Promise<FoundTarget> {
    switch (target.method) {
      case 'token': {
        const movement = {
          ...{ accountId, asset, amount: amount ?? null, destination: target.address, movementId: withdrawalId },
          // Movements would have to ask this service for them, whose requests may all be waiting for movements.
          ...(await this.funds(accountId, asset, withdrawalId)),
        };
        const asking = step(context, 'check-movement', withdrawalId);
        refuseAll((await this.bus.request(CheckTokenMovement, movement, asking)).violations.map(atDestination));
        return target;
      }
      case 'ted':
        return target;
      case 'pix': {
        const owner = await this.lookUps.lookUp(target.pixKey, { accountId, parentId }, context);
        return owner ? { ...target, owner } : refuse('pix-key-not-found', 'the Pix key is not registered', 'pix-key');
      }
    }
  }

  /** The open holds of the account, and its available balance, including the hold of an earlier attempt. */
  private async funds(
    accountId: string,
    asset: AssetId,
    withdrawalId: string,
  ): Promise<{ holds: readonly Hold[] | null; available: DecimalText }> {
    const state = await this.ledgerAccounts.load(accountId);
    const holds = openHoldsOf(state, asset);
    const own = holds.filter(({ owner }) => owner.kind === 'withdrawal' && owner.id === withdrawalId);
    const available = own.reduce(
      (sum, hold) => sum.plus(Money.stored(asset, hold.amount)),
      Money.of(asset, availableOf(balanceOf(state, asset))),
    );
    return { holds: holds.length > MAX_CHECKED_HOLDS ? null : holds, available: available.toString() };
  }

  /** The target in its stored form. Creates the key of its payee. `holder` is as for `PersonSealing.payee`. */
  async seal(found: FoundTarget, withdrawalId: string, holder: string | null): Promise<WithdrawalTarget> {
    switch (found.method) {
      case 'token':
        return { method: 'token', destinationWalletAddress: found.address };
      case 'ted':
        return { method: 'ted', payee: (await this.sealing.payee(found.account, null, withdrawalId, holder)).payee };
      case 'pix': {
        const { payee, pixKey } = await this.sealing.payee(found.owner, found.pixKey.value, withdrawalId, holder);
        if (pixKey === null) throw new Error('sealing the payee returned no Pix key');
        return { method: 'pix', payee, pixKey };
      }
    }
  }
}
