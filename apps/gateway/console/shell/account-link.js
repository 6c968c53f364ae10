import { el } from './dom.js';
import { shortId } from './words.js';

/** A link to the page of an account, which shows the short form of its id. @param {string} id */
export const accountLink = (id) => el('a', { class: 'mono', href: `/console/accounts/${id}` }, shortId(id));
