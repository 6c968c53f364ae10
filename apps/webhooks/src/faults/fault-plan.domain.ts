import type { EndpointFaults } from '@ponte/contracts';

/** How long an event is held back so that the next one overtakes it (fault `reorder`), in milliseconds. */
const HELD_BACK_MS = 3_000;

/** The faults to apply to one attempt. */
interface FaultPlan {
  /** Delay before the request is sent, in milliseconds. */
  readonly delayMs: number;
  /** How often the request is sent. */
  readonly copies: 1 | 2;
  readonly badSignature: boolean;
  /** Nothing is sent, and the attempt counts as a response with status 500. */
  readonly answers500: boolean;
}

export const NO_FAULTS: FaultPlan = { delayMs: 0, copies: 1, badSignature: false, answers500: false };

/** The plan for an event with this sequence at `now` (business time). */
export const faultPlan = (faults: EndpointFaults, sequence: number, now: string): FaultPlan => ({
  delayMs: faults.delayMs + (faults.reorder && sequence % 2 === 1 ? HELD_BACK_MS : 0),
  copies: faults.duplicate ? 2 : 1,
  badSignature: faults.badSignature,
  answers500: faults.respond500Until !== null && now < faults.respond500Until,
});

/** Changes signatures so that they are well-formed but wrong. */
export const spoiled = (signatures: string): string =>
  signatures
    .split(' ')
    .map((one) => one.replace(/^v1,(.)/, (_, first: string) => `v1,${first === 'A' ? 'B' : 'A'}`))
    .join(' ');
