import { Inject, Injectable } from '@nestjs/common';
import { Aggregates, commandContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { signerKeyId } from './signer-key.decider';
import type { RecordFinality } from './key-finality.decider';
import { keyFinality } from './key-finality.decider';

/** The streams that record up to which nonce each key is final. */
@Injectable()
export class KeyFinalities {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Records that every confirmed transaction of the key with a nonce below `below` is final. */
  async record(finality: RecordFinality): Promise<void> {
    const { chain, address, below } = finality;
    const commandId = derivedId('record-finality', chain, address, String(below));
    const context = commandContext({ commandId, correlationId: commandId, actor: 'chain-watcher' }, this.clock);
    await this.aggregates.handle(keyFinality, signerKeyId(chain, address), finality, context);
  }
}
