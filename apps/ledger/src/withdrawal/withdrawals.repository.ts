import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { withdrawal } from './withdrawal.decider';
import type { WithdrawalReadModel } from './withdrawals.read-model';
import { WITHDRAWAL_READ_MODEL } from './withdrawals.read-model';

/** The streams of withdrawals. */
@Injectable()
export class Withdrawals extends defineRepository(withdrawal, {
  readModel: WITHDRAWAL_READ_MODEL,
  show: (readModel: WithdrawalReadModel, { state, revision }) => readModel.put(state, revision),
}) {}
