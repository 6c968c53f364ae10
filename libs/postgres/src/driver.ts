/** In a file of its own, so that it is loaded with the first connection and an embedded process does without it. */
export { Client, Pool, types } from 'pg';
