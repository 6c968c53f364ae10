import { runAdmin } from './program';

/** This program does not contain the services, so there is no local installation and the line has to name one. */
const unnamed = (): never => {
  throw new Error(
    'name an installation: pass --at <https origin of its staff API> --token-file <file of the staff token>',
  );
};

runAdmin(process.argv.slice(2), { gateway: unnamed, operate: unnamed }).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
