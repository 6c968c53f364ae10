import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { ledgerAccount } from './ledger-account.decider';

/** The streams of ledger accounts. */
@Injectable()
export class LedgerAccounts extends defineRepository(ledgerAccount) {}
