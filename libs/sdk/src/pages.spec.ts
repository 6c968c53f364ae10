import { Ponte } from './index';
import { json, ScriptedServer } from './testing/scripted-server';

let server: ScriptedServer;
let ponte: Ponte;
beforeAll(async () => {
  server = await new ScriptedServer().start();
  ponte = new Ponte({ baseUrl: server.baseUrl, apiKey: 'k' });
});
afterAll(() => server.stop());

const page = (ids: string[], cursor?: string) =>
  json({ orders: ids.map((id) => ({ id })) }, 200, cursor === undefined ? {} : { 'x-next-cursor': cursor });

beforeEach(() => server.behave(page(['1', '2'], 'c+1='), page(['3'], 'c2'), page([])));

describe('a list of the SDK', () => {
  it('can be iterated over all pages, with the same filters and an encoded cursor', async () => {
    const ids: string[] = [];
    for await (const order of ponte.listOrders('a', { state: 'completed' })) ids.push(order.id);
    expect(ids).toEqual(['1', '2', '3']);
    expect(server.arrived.map(({ url }) => url.split('?')[1])).toEqual([
      'state=completed',
      'state=completed&cursor=c%2B1%3D',
      'state=completed&cursor=c2',
    ]);
  });

  it('can be awaited for its first page, whose cursor continues the list', async () => {
    const first = await ponte.listOrders('a');
    expect(first).toMatchObject({
      items: [{ id: '1' }, { id: '2' }],
      nextCursor: 'c+1=',
      body: { orders: [{ id: '1' }, { id: '2' }] },
    });
    expect((await first.next())?.items).toEqual([{ id: '3' }]);
  });

  it('stops reading when the caller stops', async () => {
    for await (const order of ponte.listOrders('a')) if (order.id === '2') break;
    expect(server.arrived).toHaveLength(1);
  });

  it('rejects like any other call', async () => {
    server.behave(json({ error: { type: 'invalid-request', code: 'invalid-cursor', message: 'no' } }, 400));
    await expect(Promise.resolve(ponte.listOrders('a', { cursor: 'x' }))).rejects.toMatchObject({
      code: 'invalid-cursor',
    });
    await expect(ponte.listOrders('a')[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'invalid-cursor',
    });
  });
});
