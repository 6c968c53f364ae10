import type { IEventHandler } from '@nestjs/cqrs';
import { CommandBus } from '@nestjs/cqrs';
import { AccountClosed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { NoteAccountClosedCommand } from './note-account-closed.command';

/** Tells the request of an account that the account was closed. */
@Policy(AccountClosed)
export class WhenAccountClosedNoteClosing implements IEventHandler<Recorded<AccountClosed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<AccountClosed>): Promise<void> {
    const context = causedBy(event, 'note-account-closed', 'when-account-closed-note-closing');
    await this.commands.execute(new NoteAccountClosedCommand({ accountId: event.data.accountId }, context));
  }
}
