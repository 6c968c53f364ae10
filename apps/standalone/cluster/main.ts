import 'reflect-metadata';
import { readRuntime } from '@ponte/nest';
import { Command } from 'commander';

const program = new Command('ponte-cluster').description(
  'Each service its own process, over EventStoreDB, Kafka and PostgreSQL',
);

program
  .command('start')
  .description('run the cluster until it is stopped; what is not given of the engines is started')
  .action(async () => {
    const { start } = await import('./start');
    await start(process.env);
  });
program
  .command('reset')
  .description('clear the data folder of a cluster that is not running')
  .action(async () => {
    const { reset } = await import('./reset');
    await reset(readRuntime({ PONTE_DATA_DIR: process.env['PONTE_DATA_DIR'] }).dataDirectory);
  });
program
  .command('admin')
  .description('manage partners, accounts, API keys and the sandbox')
  .helpOption(false)
  .allowUnknownOption()
  .allowExcessArguments()
  .action(async (_options: unknown, command: Command) => {
    const { admin } = await import('./admin');
    await admin(process.env, command.args);
  });

// Without a command it starts; a word that is not a command is refused as such.
const argv = process.argv.length > 2 ? process.argv : [...process.argv, 'start'];
program.parseAsync(argv).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  // Processes that were already started end with this one.
  process.exit(1);
});
