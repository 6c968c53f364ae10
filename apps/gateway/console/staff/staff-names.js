import { me } from '../session/session.js';
import { call, Refused } from '../shell/api.js';
import { shortId } from '../shell/words.js';

/** The names of the staff members who have ever signed in, by id. @type {Map<string, string>} */
const names = new Map();

/** Reads the names. Without them, pages show ids. @param {AbortSignal} signal */
export async function loadStaffNames(signal) {
  try {
    const { staff } = await call('GET', '/staff/v1/staff', { signal });
    for (const { id, name } of /** @type {import('../types').StaffMember[]} */ (staff)) names.set(id, name);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/** The name of a staff member, after `loadStaffNames`. @param {string} id */
export const staffName = (id) => (id === me()['staff-id'] ? 'you' : (names.get(id) ?? shortId(id)));
