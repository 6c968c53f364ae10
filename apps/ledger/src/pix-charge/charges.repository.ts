import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { pixCharge } from './pix-charge.decider';
import { ChargeReadModel } from './charges.read-model';

/** The streams of charges; the read model finds overdue ones. */
@Injectable()
export class Charges extends defineRepository(pixCharge, ChargeReadModel) {}
