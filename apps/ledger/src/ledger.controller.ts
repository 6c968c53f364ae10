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

  @Consumes('onboarding', 'ledger', typesHandledBy(LEDGER_POLICIES))
  onOnboarding(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }

  @Consumes('movements', 'ledger', typesHandledBy(LEDGER_POLICIES))
  onMovements(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }

  @Consumes('ledger', 'ledger', typesHandledBy(LEDGER_POLICIES))
  onLedger(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }
}
