import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { Recorded } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, policiesOf, typesHandledBy } from '@ponte/nest';
import { LEDGER_POLICIES } from './ledger.policies';

/** Delivers the events that the policies of this service follow. */
@Controller()
export class LedgerMessages {
  constructor(@Inject(policiesOf('ledger')) private readonly policies: Policies) {}

  @Consumes(['onboarding', 'movements', 'ledger'], 'ledger', typesHandledBy(LEDGER_POLICIES))
  onEvent(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }
}
