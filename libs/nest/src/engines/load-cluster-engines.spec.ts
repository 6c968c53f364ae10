import 'reflect-metadata';

const CLIENTS = ['@ponte/bus-kafka', '@ponte/eventstore-eventstoredb', '@ponte/postgres'];

test('the clients of a cluster are loaded only with its engines', async () => {
  const loaded: string[] = [];
  for (const name of CLIENTS)
    jest.doMock(name, () => {
      loaded.push(name);
      return jest.requireActual<object>(name);
    });
  const { loadClusterEngines } = await import('../index');
  expect(loaded).toEqual([]);
  await loadClusterEngines();
  expect(loaded.sort()).toEqual(CLIENTS);
});
