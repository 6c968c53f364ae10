import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { ledgerAccount } from './ledger-account.decider';

@Injectable()
export class LedgerAccounts extends defineRepository(ledgerAccount) {}
