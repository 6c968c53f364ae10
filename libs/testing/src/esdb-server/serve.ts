import { parseArgs } from 'node:util';
import { startEsdbServer } from './server';

/**
 * The test server as its own process: `serve --port 2113 --file events.log`. Says in one line of JSON where it listens,
 * and ends on SIGTERM or SIGINT after what it acknowledged is on the disk.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '2113' }, file: { type: 'string' } } });
  const server = await startEsdbServer({ port: Number(values.port), file: values.file, faulty: false });
  const stop = (): void => void server.stop().then(() => process.exit(0));
  process.once('SIGTERM', stop).once('SIGINT', stop);
  // A program that started this one over a channel takes it along, however it ends.
  if (process.channel) process.once('disconnect', stop);
  process.stdout.write(`${JSON.stringify({ connectionString: server.connectionString, pid: process.pid })}\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
