import { Controller } from '@nestjs/common';
import { ClosePixCharge, GetCharge, ListOverdueCharges, OpenPixCharge, ReturnChargePayment } from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { ClosePixChargeCommand } from './close-pix-charge.command';
import { GetChargeQuery } from './get-charge.query';
import { ListOverdueChargesQuery } from './list-overdue-charges.query';
import { OpenPixChargeCommand } from './open-pix-charge.command';
import { ReturnChargePaymentCommand } from './return-charge-payment.command';

/** Pix charges of orders. */
@Controller()
export class PixChargeMessages extends forwardRequests(
  [OpenPixCharge, OpenPixChargeCommand],
  [ClosePixCharge, ClosePixChargeCommand],
  [ReturnChargePayment, ReturnChargePaymentCommand],
  [GetCharge, GetChargeQuery],
  [ListOverdueCharges, ListOverdueChargesQuery],
) {}
