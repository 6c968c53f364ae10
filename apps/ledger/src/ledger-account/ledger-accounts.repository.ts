import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { ledgerAccount } from './ledger-account.decider';

/** The books of accounts. */
@Injectable()
export class LedgerAccounts extends defineRepository(ledgerAccount) {}
