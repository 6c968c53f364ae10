/**
 * Starts real engines in containers. A module of its own package: `libs/testing/src/containers.ts` installs the package
 * and loads this file only where a container engine runs.
 */
const { KafkaContainer } = require('@testcontainers/kafka');
const { GenericContainer, getContainerRuntimeClient, Wait } = require('testcontainers');

const STARTUP_MS = 180_000;
const KAFKA_PORT = 9093;

/** Rejects when no container engine can be reached. */
const assertRuntime = async () => void (await getContainerRuntimeClient());

async function startPostgres({ image, port, environment }) {
  const container = await new GenericContainer(image)
    .withEnvironment(environment)
    .withExposedPorts({ container: 5432, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(STARTUP_MS)
    .start();
  return {
    host: container.getHost(),
    run: async (command) => void (await container.exec(command)),
    restart: () => container.restart({ timeout: 0 }),
    stop: async () => void (await container.stop()),
  };
}

async function startEventStore({ image, port, environment }) {
  const container = await new GenericContainer(image)
    .withEnvironment(environment)
    .withExposedPorts(port)
    .withWaitStrategy(Wait.forHttp('/health/live', port).forStatusCode(204))
    .withStartupTimeout(STARTUP_MS)
    .start();
  return {
    address: `${container.getHost()}:${container.getMappedPort(port)}`,
    stop: async () => void (await container.stop()),
  };
}

async function startKafka({ image }) {
  const container = await new KafkaContainer(image).withKraft().start();
  return {
    address: `${container.getHost()}:${container.getMappedPort(KAFKA_PORT)}`,
    stop: async () => void (await container.stop()),
  };
}

module.exports = { assertRuntime, startPostgres, startEventStore, startKafka };

// As a program: exits with 0 when a container engine can be reached.
if (require.main === module)
  assertRuntime().then(
    () => process.exit(0),
    () => process.exit(1),
  );
