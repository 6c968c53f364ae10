import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { filesOf } from '../domain/account-request/files';
import { isOpenRequest } from '../domain/account-request/state';
import { AccountRequests } from './account-requests';
import { EvidenceFiles } from './evidence-files';

/** The files that a request names stay as long as its records do. */
export class ReferenceFilesCommand extends Command<void> {
  constructor(readonly requestId: string, readonly context: RequestContext) { super(); }
}

@CommandHandler(ReferenceFilesCommand)
export class ReferenceFilesHandler implements ICommandHandler<ReferenceFilesCommand> {
  constructor(private readonly requests: AccountRequests, private readonly files: EvidenceFiles) {}

  async execute({ requestId, context }: ReferenceFilesCommand): Promise<void> {
    const state = await this.requests.load(requestId);
    if (!isOpenRequest(state)) return;
    await Promise.all(filesOf(state).map(({ fileId }) =>
      this.files.handle(fileId, (at) => ({ kind: 'reference', requestId, at }), { ...context, commandId: derivedId('reference', requestId, fileId) })));
  }
}
