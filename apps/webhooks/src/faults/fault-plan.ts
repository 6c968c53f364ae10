import type { EndpointFaults } from '@ponte/contracts';

/** How long an event is held back so that the next one overtakes it, in milliseconds. */
export const HELD_BACK_MS = 3_000;

/** What is done wrong with one attempt. */
export interface FaultPlan {
  /** The request leaves this much later. */
  readonly delayMs: number;
  /** How often it is sent. */
  readonly copies: 1 | 2;
  readonly badSignature: boolean;
  /** Nothing is sent, and the attempt counts as answered 500. */
  readonly answers500: boolean;
}

export const NO_FAULTS: FaultPlan = { delayMs: 0, copies: 1, badSignature: false, answers500: false };

/** The plan for an event with this sequence at `now` (business time). */
export function faultPlan(faults: EndpointFaults | null, sequence: number, now: string): FaultPlan {
  if (faults === null) return NO_FAULTS;
  const heldBack = faults.reorder && sequence % 2 === 1 ? HELD_BACK_MS : 0;
  return {
    delayMs: faults.delayMs + heldBack,
    copies: faults.duplicate ? 2 : 1,
    badSignature: faults.badSignature,
    answers500: faults.respond500Until !== null && now < faults.respond500Until,
  };
}

/** A signature that has the form of a correct one and does not fit the body. */
export const spoiled = (signatures: string): string =>
  signatures
    .split(' ')
    .map((one) => one.replace(/^v1,(.)/, (_, first: string) => `v1,${first === 'A' ? 'B' : 'A'}`))
    .join(' ');
