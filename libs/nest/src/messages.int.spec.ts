import { Controller, Module } from '@nestjs/common';
import type { ICommandHandler, IQueryHandler } from '@nestjs/cqrs';
import { CommandHandler, CqrsModule, QueryHandler } from '@nestjs/cqrs';
import { Test } from '@nestjs/testing';
import { command, query } from '@ponte/event-sourcing';
import { RequestCommand, RequestQuery, forwardRequests } from './messages';

const Greet = command<{ name: string }, string>('tests', 'greet', ({ name }) => name);
const CountGuests = query<{ atLeast: number }, number>('tests', 'count-guests');

class GreetCommand extends RequestCommand<typeof Greet> {}
class CountGuestsQuery extends RequestQuery<typeof CountGuests> {}

@CommandHandler(GreetCommand)
class GreetHandler implements ICommandHandler<GreetCommand> {
  async execute({ payload: { name }, context }: GreetCommand): Promise<string> {
    return `${name} by ${context.actor}`;
  }
}

@QueryHandler(CountGuestsQuery)
class CountGuestsHandler implements IQueryHandler<CountGuestsQuery> {
  async execute({ payload: { atLeast } }: CountGuestsQuery): Promise<number> {
    return atLeast;
  }
}

@Controller()
class GuestMessages extends forwardRequests([Greet, GreetCommand], [CountGuests, CountGuestsQuery]) {}

@Module({ imports: [CqrsModule], controllers: [GuestMessages], providers: [GreetHandler, CountGuestsHandler] })
class GuestModule {}

const context = { commandId: 'a', correlationId: 'b', actor: 'the test' };

describe('a controller that forwards requests', () => {
  const messages = async () => {
    const app = await Test.createTestingModule({ imports: [GuestModule] }).compile();
    await app.init();
    return app.get(GuestMessages) as unknown as Record<string, (payload: object, by: object) => Promise<unknown>>;
  };

  it('forwards a command to the command bus, with its context', async () => {
    await expect((await messages())['greet']?.({ name: 'Ana' }, context)).resolves.toBe('Ana by the test');
  });

  it('forwards a query to the query bus', async () => {
    await expect((await messages())['count-guests']?.({ atLeast: 3 }, context)).resolves.toBe(3);
  });

  it('has a message pattern for each request', () => {
    const patternOf = (name: string): unknown =>
      Reflect.getMetadata('microservices:pattern', Reflect.get(GuestMessages.prototype, name) as object);
    expect(['greet', 'count-guests'].map(patternOf)).toEqual([[Greet.pattern], [CountGuests.pattern]]);
  });
});
