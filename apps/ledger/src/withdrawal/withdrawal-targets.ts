import { Inject, Injectable } from '@nestjs/common';
import type { WithdrawalTarget } from '@ponte/contracts';
import { CheckTokenDestination } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { refuse } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { asked } from '../payouts/rail';
import { step } from '../steps';
import { KEY_DIRECTORY } from '../key-directory/key-directory.port';
import type { KeyDirectory, KeyOwner } from '../key-directory/key-directory.port';
import { PersonSealing } from '../person/person-sealing';
import type { ValidTarget } from './withdrawal.domain';

/** Paths in a withdrawal request, by the name that the movements service uses. */
const PATHS = { asset: 'asset', destination: 'destination-wallet-address' } as const;

/** A target that passed every check. */
export type FoundTarget =
  Exclude<ValidTarget, { method: 'pix' }> | (Extract<ValidTarget, { method: 'pix' }> & { readonly owner: KeyOwner });

/** The withdrawal for which a target is resolved. */
interface Asked {
  readonly withdrawalId: string;
  readonly accountId: string;
  readonly asset: AssetId;
}

/** Resolves and checks the target of a new withdrawal, using the movements service or the key directory. */
@Injectable()
export class WithdrawalTargets {
  constructor(
    private readonly sealing: PersonSealing,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /**
   * Checks the target and looks up what is missing. Writes nothing, so that a refused request leaves no key.
   * Refuses `pix-key-not-found`, `invalid-address`, `same-source-and-target` and
   * `asset-not-supported`. Throws `rail-unavailable` if the directory does not answer.
   */
  async find(
    target: ValidTarget,
    { withdrawalId, accountId, asset }: Asked,
    context: RequestContext,
  ): Promise<FoundTarget> {
    switch (target.method) {
      case 'token': {
        const { address: destination } = target;
        const question = step(context, 'check-destination', withdrawalId);
        const { refusal } = await this.bus.request(CheckTokenDestination, { accountId, asset, destination }, question);
        if (refusal) refuse(refusal.code, refusal.message, PATHS[refusal.at]);
        return target;
      }
      case 'ted':
        return target;
      case 'pix': {
        const owner = await asked(() => this.directory.lookUp(target.pixKey));
        return owner ? { ...target, owner } : refuse('pix-key-not-found', 'the Pix key is not registered', 'pix-key');
      }
    }
  }

  /** The target in its stored form. Creates the key of its payee. */
  async seal(found: FoundTarget, withdrawalId: string): Promise<WithdrawalTarget> {
    switch (found.method) {
      case 'token':
        return { method: 'token', destinationWalletAddress: found.address };
      case 'ted':
        return { method: 'ted', payee: (await this.sealing.payee(found.account, null, withdrawalId)).payee };
      case 'pix': {
        const { payee, pixKey } = await this.sealing.payee(found.owner, found.pixKey.value, withdrawalId);
        if (pixKey === null) throw new Error('sealing the payee returned no Pix key');
        return { method: 'pix', payee, pixKey };
      }
    }
  }
}
