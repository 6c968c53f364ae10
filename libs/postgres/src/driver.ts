/** A separate file, so that the driver is loaded with the first connection and not in an embedded process. */
export { Client, Pool, types } from 'pg';
