import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { OpenRequest } from '../domain/account-request/state';
import { AccountRequestReadModel, accountRequestRow } from './account-requests.read-model';

/** The list of account requests. It holds nothing that the streams do not, so it may be lost and filled again. */
@Injectable()
export class AccountRequestsView {
  constructor(
    private readonly readModel: AccountRequestReadModel,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws when the table does not answer; the catch-up projector tries again. */
  async put(state: OpenRequest, revision: number): Promise<void> {
    await this.readModel.table.put(accountRequestRow(state, revision));
  }

  /**
   * Shows an accepted command in the lists before it is answered. A view that fails takes nothing back: the projector
   * repairs it.
   */
  async show(state: OpenRequest, revision: number, context: RequestContext): Promise<void> {
    try {
      await this.put(state, revision);
    } catch (error) {
      const reason = error instanceof Error ? error.name : typeof error;
      this.logger.error(
        { ...logged(context), requestId: state.terms.requestId, reason },
        'an account request did not reach its view; the catch-up brings it',
      );
    }
  }
}
