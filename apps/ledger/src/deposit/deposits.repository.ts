import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { deposit } from './deposit.decider';
import { DepositReadModel } from './deposits.read-model';

@Injectable()
export class Deposits extends defineRepository(deposit, DepositReadModel) {}
