import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Timestamp } from '@ponte/contracts';
import { addSeconds, derivedId } from '@ponte/kernel';
import { defineRepository } from '@ponte/nest';
import type { BegunRound } from './screening-round.decider';
import { screeningRound } from './screening-round.decider';
import { ScreeningRoundReadModel } from './screening-rounds.read-model';

const DAY_SECONDS = 24 * 3600;
/** A round that began longer ago is given up: its cases have changed. An alert has been firing for days by then. */
const DAYS_GOING_ON = 7;

const dayOf = (at: Timestamp): string => at.slice(0, 10);
const roundIdOf = (day: string, listsVersion: string): string => derivedId('screening-round', day, listsVersion);

@Injectable()
export class ScreeningRounds extends defineRepository(screeningRound, ScreeningRoundReadModel) {
  /**
   * The round to work on: the oldest one of these lists with cases that were never tried, or the one of today. Null if
   * the round of today is completed. What an earlier round only has left to retry is part of today's round too, so a
   * person who can never be screened does not keep everyone else from being screened every day.
   */
  async current(listsVersion: string, at: Timestamp, context: RequestContext): Promise<BegunRound | null> {
    for (let age = DAYS_GOING_ON; age > 0; age -= 1) {
      const earlier = await this.load(roundIdOf(dayOf(addSeconds(at, -age * DAY_SECONDS)), listsVersion));
      if (earlier.status === 'started' && earlier.last !== null) return earlier;
    }
    const day = dayOf(at);
    const roundId = roundIdOf(day, listsVersion);
    const known = await this.load(roundId, ({ status }) => status === 'completed');
    if (known.status !== 'absent') return known.status === 'completed' ? null : known;
    const started = await this.execute(
      roundId,
      (startedAt) => ({ kind: 'start', roundId, day, listsVersion, at: startedAt }),
      { ...context, commandId: derivedId('start-screening-round', roundId) },
    );
    return started.status === 'started' ? started : null;
  }
}
