import { Injectable } from '@nestjs/common';
import type { AccountRequestRecord } from '@ponte/contracts';
import type { CommandSource, RequestContext } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { defineRepository } from '@ponte/nest';
import type { AccountRequestCommand } from './account-request.decider';
import { accountRequest, openRequest } from './account-request.decider';
import { requestRecord } from './account-request.record';
import type { OpenRequest } from './account-request.state';
import { isOpenRequest } from './account-request.state';
import { AccountRequestReadModel } from './account-requests.read-model';

@Injectable()
export class AccountRequests extends defineRepository(accountRequest, AccountRequestReadModel) {
  /** The request of a partner. Refuses `account-request-not-found` if it is absent or has another parent. */
  async ofParent(parentId: string, requestId: string): Promise<OpenRequest> {
    const state = await this.load(requestId);
    return isOpenRequest(state) && state.terms.parentId === parentId
      ? state
      : refuse('account-request-not-found', 'there is no such account request', 'id');
  }

  async move(
    requestId: string,
    command: CommandSource<AccountRequestCommand>,
    context: RequestContext,
  ): Promise<OpenRequest> {
    return openRequest(await this.execute(requestId, command, context));
  }

  async record(
    requestId: string,
    command: CommandSource<AccountRequestCommand>,
    context: RequestContext,
  ): Promise<AccountRequestRecord> {
    return requestRecord(await this.move(requestId, command, context));
  }
}
