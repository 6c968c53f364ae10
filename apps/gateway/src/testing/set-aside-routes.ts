import { SAMPLE } from '../api/samples';
import { StaffDepositEnvelopeDto } from '../console-api/deposits/deposit.dto';
import { FailedReturnEnvelopeDto } from '../console-api/deposits/failed-return.dto';
import { SENDING_REQUEST_EXAMPLE } from '../console-api/deposits/sending.dto';
import { SET_ASIDE_DECISION_EXAMPLE } from '../console-api/deposits/set-aside.dto';
import { post } from './staff-route';

const SET_ASIDE = `/staff/v1/deposits/${SAMPLE.depositId}/set-aside`;

/** The routes that set tokens of closed accounts aside and say where they go. */
export const SET_ASIDE_ROUTES = {
  'staff-request-set-aside': post(SET_ASIDE, undefined, StaffDepositEnvelopeDto),
  'staff-confirm-set-aside': post(`${SET_ASIDE}/confirm`, SET_ASIDE_DECISION_EXAMPLE, StaffDepositEnvelopeDto),
  'staff-propose-sending': post(
    `/staff/v1/failed-returns/${SAMPLE.depositId}/sending`,
    SENDING_REQUEST_EXAMPLE,
    FailedReturnEnvelopeDto,
  ),
  'staff-reject-set-aside': post(`${SET_ASIDE}/reject`, SET_ASIDE_DECISION_EXAMPLE, StaffDepositEnvelopeDto),
} as const;
