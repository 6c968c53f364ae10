import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { deposit } from '../domain/deposit/deposit';
import { DepositReadModel } from '../views/deposits.read-model';

/** The streams of deposits. */
@Injectable()
export class Deposits extends defineRepository(deposit, DepositReadModel) {}
