import type { Decider } from './decider';
import { fold } from './streams/cached-stream';
import type { DomainEvent } from './event';

/** Given / when / then for a decider: `scenario(order).given(placed).when(fund).then(funded)`. */
export function scenario<C, S, E extends DomainEvent>(decider: Decider<C, S, E>) {
  return {
    given: (...past: E[]) => ({
      /** The state after the past. */
      state: (): S => fold(decider, decider.initial, past),
      when: (command: C) => ({
        /** The events that the command produces, as plain data. */
        events: (): { type: string; data: object }[] =>
          plain(decider.decide(command, fold(decider, decider.initial, past))),
        then: (...expected: E[]): void => {
          const actual = plain(decider.decide(command, fold(decider, decider.initial, past)));
          const wanted = plain(expected);
          if (JSON.stringify(actual) !== JSON.stringify(wanted)) {
            throw new Error(`decided\n${JSON.stringify(actual, null, 2)}\nnot\n${JSON.stringify(wanted, null, 2)}`);
          }
        },
        /** The refusal of the command; throws if it is not refused. */
        refusal: (): unknown => {
          try {
            decider.decide(command, fold(decider, decider.initial, past));
          } catch (refused) {
            return refused;
          }
          throw new Error('the command was not refused');
        },
      }),
    }),
  };
}

const plain = (events: readonly DomainEvent[]) => events.map(({ type, data }) => ({ type, data }));
