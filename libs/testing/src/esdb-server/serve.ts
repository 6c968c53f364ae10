import { parseArgs } from 'node:util';
import { startEsdbServer } from './server';

/**
 * Runs the test server as a process: `serve --port 2113 --file events.log`. Prints its connection string as one line of
 * JSON, and ends on SIGTERM or SIGINT after all acknowledged events are on the disk.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '2113' }, file: { type: 'string' } } });
  const server = await startEsdbServer({ port: Number(values.port), file: values.file, faulty: false });
  const stop = (): void => void server.stop().then(() => process.exit(0));
  process.once('SIGTERM', stop).once('SIGINT', stop);
  // When the parent process opened an IPC channel, this process ends with it.
  if (process.channel) process.once('disconnect', stop);
  process.stdout.write(`${JSON.stringify({ connectionString: server.connectionString, pid: process.pid })}\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
