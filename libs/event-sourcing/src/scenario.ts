import type { Decider } from './decider';
import { fold } from './streams/cached-stream';
import type { DomainEvent } from './event';

/** Given / when / then for a decider: `scenario(order).given(placed).when(fund).then(funded)`. */
export function scenario<C, S, E extends DomainEvent>(decider: Decider<C, S, E>) {
  return {
    given: (...past: E[]) => {
      const state = (): S => fold(decider, decider.initial, past);
      return {
        /** The state after the past. */
        state,
        when: (command: C) => {
          const events = () => plain(decider.decide(command, state()));
          return {
            /** The events that the command produces, as plain data. */
            events,
            then: (...expected: E[]): void => {
              const [actual, wanted] = [events(), plain(expected)].map((one) => JSON.stringify(one, null, 2));
              if (actual !== wanted) throw new Error(`decided\n${actual}\nnot\n${wanted}`);
            },
            /** The refusal of the command; throws if it is not refused. */
            refusal: (): unknown => {
              try {
                events();
              } catch (refused) {
                return refused;
              }
              throw new Error('the command was not refused');
            },
          };
        },
      };
    },
  };
}

const plain = (events: readonly DomainEvent[]) => events.map(({ type, data }) => ({ type, data }));
