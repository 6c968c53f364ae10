import type * as contracts from '@ponte/contracts';
import type { ReservationCommand } from './reservation.decider';
import { reservation } from './reservation.decider';
import { requestIdOf } from './reservation-ids.domain';
import { AT } from '../testing/request-history';

describe('A reservation', () => {
  const claim = (claimId: string, holder = 'r'): ReservationCommand => ({
    kind: 'claim',
    reservationId: 'w',
    of: 'wallet',
    address: '0x1',
    holder: { parentId: 'p', country: 'BRA', fingerprint: holder },
    claimId,
    at: AT,
  });
  const holderAt = (attempt: number) => requestIdOf('p', 'BRA', 'r', attempt);
  const on = (...commands: ReservationCommand[]) =>
    commands.reduce(
      ({ past }, command) => {
        const decided = reservation.decide(command, past.reduce(reservation.evolve, reservation.initial));
        return { past: [...past, ...decided], decided: decided.map(({ type }) => type) };
      },
      { past: [] as contracts.ReservationEvent[], decided: [] as string[] },
    );
  const state = (...commands: ReservationCommand[]) =>
    on(...commands).past.reduce(reservation.evolve, reservation.initial);

  it('has one holder, whose posts share it, and is free once the last of them releases its claim', () => {
    expect(state(claim('1'), claim('2'))).toMatchObject({
      status: 'reserved',
      holderId: holderAt(1),
      claims: ['1', '2'],
    });
    expect(on(claim('1'), claim('1')).decided).toEqual([]);
    expect(on(claim('1'), claim('x', 'other')).decided).toEqual([]);
    const release = (claimId: string): ReservationCommand => ({ kind: 'release-claim', claimId, at: AT });
    expect(state(claim('1'), claim('2'), release('1'))).toMatchObject({ status: 'reserved', claims: ['2'] });
    expect(state(claim('1'), claim('2'), release('1'), release('2'))).toEqual({ status: 'released', attempt: 1 });
    expect(on(claim('1'), release('2')).decided).toEqual([]);
  });

  it('is freed when its holder ends, even if others claimed it, and the next holder has a new attempt number', () => {
    const free = (holderId: string): ReservationCommand => ({ kind: 'free', holderId, at: AT });
    expect(state(claim('1'), claim('2'), free(holderAt(1)))).toEqual({ status: 'released', attempt: 1 });
    expect(state(claim('1'), free(holderAt(1)), claim('3'))).toMatchObject({ holderId: holderAt(2), attempt: 2 });
    expect(on(claim('1'), free('unknown')).decided).toEqual([]);
    expect(on(claim('1'), free(holderAt(1)), free(holderAt(1))).decided).toEqual([]);
  });
});
