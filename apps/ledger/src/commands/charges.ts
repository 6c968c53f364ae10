import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { pixCharge } from '../domain/pix-charge/pix-charge';
import type { ChargeReadModel } from '../ports/charge-read-model';
import { CHARGE_READ_MODEL } from '../ports/charge-read-model';
import { chargeRow } from '../views/charges';

/** The streams of charges; the list is searched for overdue ones. */
@Injectable()
export class Charges extends defineRepository(pixCharge, {
  readModel: CHARGE_READ_MODEL,
  show: (readModel: ChargeReadModel, { state, revision }) => {
    const row = chargeRow(state, revision);
    return row && readModel.put(row);
  },
}) {}
