import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { deposit } from '../domain/deposit/deposit';
import type { DepositReadModel } from '../ports/deposit-read-model';
import { DEPOSIT_READ_MODEL } from '../ports/deposit-read-model';
import { depositRow } from '../views/deposits';

/** The streams of deposits. */
@Injectable()
export class Deposits extends defineRepository(deposit, {
  readModel: DEPOSIT_READ_MODEL,
  show: (readModel: DepositReadModel, { id, state, revision }) => {
    const row = depositRow(id, state, revision);
    return row && readModel.put(row);
  },
}) {}
