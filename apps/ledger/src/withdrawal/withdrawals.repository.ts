import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { withdrawal } from './withdrawal.decider';
import { WithdrawalReadModel } from './withdrawals.read-model';

@Injectable()
export class Withdrawals extends defineRepository(withdrawal, WithdrawalReadModel) {}
