import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext, Wish } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, deciding } from '@ponte/nest';
import type { Mint, MintCommand } from '../domain/mint/mint';
import { mint } from '../domain/mint/mint';

/** The streams of the mints. */
@Injectable()
export class Mints {
  constructor(private readonly aggregates: Aggregates, @Inject(CLOCK) private readonly clock: Clock) {}

  async load(mintId: string): Promise<Mint> {
    return (await this.aggregates.load(mint, mintId)).state;
  }

  async carryOut(mintId: string, wish: Wish<MintCommand>, context: RequestContext): Promise<Mint> {
    return (await this.aggregates.handle(mint, mintId, wish, deciding(context, this.clock))).state;
  }
}
