import { CommanderError } from 'commander';
import { isPonteError } from '@ponte/sdk';
import type { CliError } from './failures';
import { EXIT, failureJson, failureOf, failureText, usage } from './failures';
import { createProgram } from './program';
import type { Host } from './session';

const KEY_OPTION = '--idempotency-key';

/** Runs one command line (without node and script) and returns the exit code. Never throws. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const json = argv.includes('--json');
  let acceptsKey = false;
  const program = createProgram(host, json).hook('preAction', (_, { options }) => {
    acceptsKey = options.some(({ long }) => long === KEY_OPTION);
  });
  const fail = (error: unknown): number => {
    const failure = failureOf(error, acceptsKey);
    host.err(`${json ? failureJson(failure) : failureText(failure)}\n`);
    return failure.exit;
  };
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return host.signal.aborted ? EXIT.interrupted : EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.done;
      // Commander has already written its errors as text for people, but not as JSON.
      return json ? fail(usageOf(error)) : EXIT.usage;
    }
    if (host.signal.aborted) {
      // A write that was interrupted may have been processed, so its key must not be lost.
      if (isPonteError(error) && error.mayHaveBeenProcessed) fail(error);
      return EXIT.interrupted;
    }
    const exit = fail(error);
    if (host.env['DEBUG'] === 'ponte' && error instanceof Error) host.err(`${error.stack ?? ''}\n`);
    return exit;
  }
}

/** Commander prints the help instead of an error if no command is given. */
const usageOf = ({ code, message }: CommanderError): CliError =>
  usage(code === 'commander.help' ? 'A command is required.' : message.replace(/^error: /, ''));
