import { policiesController } from '@ponte/nest';
import { LEDGER_POLICIES } from './ledger.policies';

/** Receives the events that the policies of this service handle. */
export const LedgerEvents = policiesController(['onboarding', 'movements', 'ledger'], 'ledger', LEDGER_POLICIES);
