import { ConfirmSetAside, RejectSetAside, RequestSetAside } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { SAMPLE } from '../../api/samples';
import { tokenDepositRecord } from '../records/money-records';
import type { StubBus } from '../stub-bus';

/** Tokens of a closed account: requested, set aside and rejected. */
export function answerSetAside(bus: StubBus, personalData: PersonalData): void {
  bus.on(RequestSetAside, ({ depositId: id, staffId: requestedBy }) =>
    tokenDepositRecord(personalData, { id, setAside: { request: 1, requestedBy, requestedAt: SAMPLE.time } }),
  );
  bus.on(ConfirmSetAside, ({ depositId: id }) =>
    tokenDepositRecord(personalData, { id, status: 'voided', voidReason: 'account-not-active' }),
  );
  bus.on(RejectSetAside, ({ depositId: id }) => tokenDepositRecord(personalData, { id }));
}
