import 'reflect-metadata';
import { readRuntime } from '@ponte/nest';
import { Command } from 'commander';

const program = new Command('ponte').description(
  'All services of Ponte in one process, with embedded engines that need only Node.js',
);

// Each verb loads only what it needs, so that `reset` does not wait for seven services.
program
  .command('start')
  .description('run the sandbox until it is stopped')
  .option('--guides <script>', 'once the sandbox is ready, build the guides that /docs serves with this script')
  .action(async ({ guides }: { guides?: string }) => {
    const { start } = await import('./start');
    await start(process.env, guides);
  });
program
  .command('demo')
  .description('run every main operation, from deposit to webhook, in a temporary sandbox')
  .action(async () => {
    const { demo } = await import('./demo/demo');
    await demo();
  });
program
  .command('reset')
  .description('delete the data of a sandbox that is not running')
  .action(async () => {
    const { reset } = await import('./reset');
    await reset(readRuntime(process.env).dataDirectory);
  });
program
  .command('admin')
  .description('manage partners, accounts, API keys and the sandbox')
  .helpOption(false)
  .allowUnknownOption()
  .allowExcessArguments()
  .action(async (_options: unknown, command: Command) => {
    const { admin } = await import('./admin/admin');
    await admin(readRuntime(process.env), command.args);
  });

// Without a command it starts; a word that is not a command is refused as such.
const argv = process.argv.length > 2 ? process.argv : [...process.argv, 'start'];
program.parseAsync(argv).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  // Processes that were already started, such as a chain's, end with this one.
  process.exit(1);
});
