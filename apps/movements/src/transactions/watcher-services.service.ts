import { Inject, Injectable } from '@nestjs/common';
import type { EventStore, Lease } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, EVENT_STORE, LEASE, LOGGER, METRICS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import { FinalityChecker } from '../finality/finality-checker.service';
import { UnfinalTransactions } from '../finality/unfinal-transactions.read-model';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { Sender } from '../sending/sender.service';
import { KeyFinalities } from '../signer-key/key-finalities.service';
import { PendingByKey } from '../signer-key/pending-by-key.service';
import { SigningKeys } from '../signer-key/signing-keys.read-model';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { ChainTransactions } from './chain-transactions.service';
import { PendingTransactions } from './pending-transactions.read-model';

/** The dependencies that the watchers of all keys and chains share. */
@Injectable()
export class WatcherServices {
  constructor(
    @Inject(SIGNER) readonly signer: Signer,
    @Inject(SETTINGS) readonly settings: MovementsSettings,
    readonly pending: PendingTransactions,
    readonly unfinal: UnfinalTransactions,
    readonly keys: SigningKeys,
    readonly byKey: PendingByKey,
    readonly finality: FinalityChecker,
    readonly sender: Sender,
    readonly transactions: ChainTransactions,
    readonly finalities: KeyFinalities,
    @Inject(METRICS) readonly metrics: Metrics,
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(LEASE) readonly lease: Lease,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(LOGGER) readonly logger: Logger,
  ) {}
}
