import { SealBroken } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { PostponedDeliveries } from './postponed-deliveries';

describe('deliveries that could not be attempted', () => {
  it('are passed over, and reported in one line for each kind of failure', () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1);
    const lines: unknown[][] = [];
    const aside = new PostponedDeliveries({ error: (...line: unknown[]) => void lines.push(line) });
    const origin = { correlationId: 'c' };
    for (let at = 0; at < 300; at += 1) aside.addFailed(`d${at}`, new SealBroken(), origin);
    aside.addFailed('other', new Unavailable('service-unavailable'));
    const text = 'a webhook delivery could not be attempted';
    expect([aside.has('d0'), aside.has('d299'), aside.has('healthy')]).toEqual([true, true, false]);
    expect(lines).toEqual([
      [{ ...origin, error: 'SealBroken', deliveryId: 'd0' }, text],
      [{ error: 'Unavailable', deliveryId: 'other' }, text],
    ]);
    now.mockReturnValue(20_001);
    aside.addFailed('d0', new SealBroken());
    now.mockRestore();
    expect(lines.at(-1)?.[0]).toMatchObject({ deliveryId: 'd0', times: 300 });
  });
});
