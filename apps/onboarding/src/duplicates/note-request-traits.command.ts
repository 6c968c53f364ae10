import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { RequestTraits } from './request-traits';

/** Notes what a request has that another one could have too. */
export class NoteRequestTraitsCommand extends Command<void> {
  constructor(
    readonly requestId: string,
    readonly atLeast: number,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(NoteRequestTraitsCommand)
export class NoteRequestTraitsHandler implements ICommandHandler<NoteRequestTraitsCommand> {
  constructor(private readonly traits: RequestTraits) {}

  execute({ requestId, atLeast, context }: NoteRequestTraitsCommand): Promise<void> {
    return this.traits.note(requestId, atLeast, context);
  }
}
