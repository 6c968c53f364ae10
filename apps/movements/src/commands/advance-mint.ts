import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { RequestContext, Wish } from '@ponte/event-sourcing';
import type { MintCommand } from '../domain/mint/mint';
import { Mints } from './mints';

/** The chain has moved a mint on. */
export class AdvanceMintCommand extends Command<void> {
  constructor(readonly mintId: string, readonly wish: Wish<MintCommand>, readonly context: RequestContext) { super(); }
}

@CommandHandler(AdvanceMintCommand)
export class AdvanceMintHandler implements ICommandHandler<AdvanceMintCommand> {
  constructor(private readonly mints: Mints) {}

  async execute({ mintId, wish, context }: AdvanceMintCommand): Promise<void> {
    await this.mints.carryOut(mintId, wish, context);
  }
}
