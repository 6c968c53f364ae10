import type { IEventHandler } from '@nestjs/cqrs';
import type { Recorded } from '@ponte/event-sourcing';
import { event } from '@ponte/event-sourcing';
import { Policies, Policy, typesHandledBy } from './policies';

class Opened extends event('Opened')<{ name: string }> {}
class Closed extends event('Closed')<object> {}

const done: string[] = [];
@Policy(Opened, Closed)
class Slow implements IEventHandler<Recorded> {
  async handle({ type }: Recorded): Promise<void> {
    await Promise.resolve();
    done.push(`slow ${type}`);
  }
}
@Policy(Opened)
class Quick implements IEventHandler<Recorded> {
  handle({ type }: Recorded): void {
    done.push(`quick ${type}`);
  }
}
@Policy(Closed)
class Failing implements IEventHandler<Recorded> {
  async handle(): Promise<void> {
    throw new Error('the bank is unavailable');
  }
}
class Unmarked implements IEventHandler<Recorded> {
  handle(): void {}
}
const recorded = (type: string): Recorded =>
  ({ id: 'e', type, stream: 'account-a', revision: 0, data: {}, meta: {} }) as unknown as Recorded;

describe('the policies of a service', () => {
  beforeEach(() => done.splice(0));

  it('run one after the other, in the order of their list, each for its own events', async () => {
    const policies = new Policies([new Slow(), new Quick()]);
    for (const type of ['Opened', 'Closed', 'Renamed']) await policies.dispatch(recorded(type));
    expect(done).toEqual(['slow Opened', 'quick Opened', 'slow Closed']);
  });

  it('let the error of a policy through, so that the event is retried', async () => {
    const policies = new Policies([new Failing(), new Slow()]);
    await expect(policies.dispatch(recorded('Closed'))).rejects.toThrow('the bank is unavailable');
    expect(done).toEqual([]);
  });

  it('name the types of their events', () => {
    expect(typesHandledBy([Slow, Quick])).toEqual(['Opened', 'Closed']);
  });

  it('must be marked with @Policy', () => {
    expect(() => new Policies([new Unmarked()])).toThrow('Unmarked has no @Policy');
  });
});
