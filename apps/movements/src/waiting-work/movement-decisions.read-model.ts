import { Injectable } from '@nestjs/common';
import { defineAwaitedDecisions } from '@ponte/nest';

/** Its table. Metrics join it to that of the waiting transactions. */
export const MOVEMENT_DECISIONS = 'movement_decisions';

/** The decisions of staff that unsigned transactions wait for: releases of accounts and reviews of targets. */
@Injectable()
export class MovementDecisions extends defineAwaitedDecisions({
  table: MOVEMENT_DECISIONS,
  subjects: ['order', 'transfer', 'withdrawal', 'nft-transfer'],
}) {}
