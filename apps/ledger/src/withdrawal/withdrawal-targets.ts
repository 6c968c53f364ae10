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
import type { KeyDirectory } from '../key-directory/key-directory.port';
import { PersonSealing } from '../person/person-sealing';
import type { ValidRequest } from './withdrawal.domain';

/** The members of a request for a withdrawal, as movements names them. */
const PATHS = { asset: 'asset', destination: 'destination-wallet-address' } as const;

/** What a target is looked up for. */
interface Asked {
  readonly withdrawalId: string;
  readonly accountId: string;
  readonly asset: AssetId;
}

/** Where the money of a new withdrawal goes, checked with the service or the directory that knows it. */
@Injectable()
export class WithdrawalTargets {
  constructor(
    private readonly sealing: PersonSealing,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /**
   * The target as it is kept. Refuses `pix-key-not-found`, `invalid-address`, `same-source-and-target` and
   * `asset-not-supported`. Throws
   * `rail-unavailable` when the directory does not answer.
   */
  async resolve(
    { target }: Pick<ValidRequest, 'target'>,
    { withdrawalId, accountId, asset }: Asked,
    context: RequestContext,
  ): Promise<WithdrawalTarget> {
    switch (target.method) {
      case 'token': {
        const { address: destination } = target;
        const question = step(context, 'check-destination', withdrawalId);
        const { refusal } = await this.bus.request(CheckTokenDestination, { accountId, asset, destination }, question);
        if (refusal) refuse(refusal.code, refusal.message, PATHS[refusal.at]);
        return { method: 'token', destinationWalletAddress: destination };
      }
      case 'ted':
        return { method: 'ted', payee: (await this.sealing.payee(target.account, null, withdrawalId)).payee };
      case 'pix': {
        const owner = await asked(() => this.directory.lookUp(target.pixKey));
        if (!owner) return refuse('pix-key-not-found', 'the Pix key is not registered', 'pix-key');
        const { payee, pixKey } = await this.sealing.payee(owner, target.pixKey.value, withdrawalId);
        if (pixKey === null) throw new Error('a Pix key that was sealed is not there');
        return { method: 'pix', payee, pixKey };
      }
    }
  }
}
