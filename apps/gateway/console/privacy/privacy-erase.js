import { call, Refused } from '../shell/api.js';
import { formDialog } from '../shell/dialogs.js';
import { el, freshId, note } from '../shell/dom.js';
import { tell } from '../shell/live.js';
import { tellDone } from '../shell/outcome.js';
import { when } from '../shell/time.js';

/** @typedef {import('../types').ErasurePreparation} ErasurePreparation */

/**
 * Erases in two steps: the server returns the effect and the text to type, and then the user confirms.
 * @param {import('./privacy.js').PersonKey} key @param {AbortSignal} signal of the page
 * @param {() => Promise<void>} again shows the report again
 */
export async function eraseDialog(key, signal, again) {
  const prepared = await preparation(key, signal);
  if (!prepared) return;
  const { token, 'confirm-with': wanted, outcome, 'retained-until': until } = prepared;
  const isErasure = outcome === 'erased';
  const [effect, details] = isErasure
    ? [
        'The key of this person is destroyed',
        'Their data can never be read again, in the records, copies or backups. An erased person cannot be onboarded again. This cannot be undone.',
      ]
    : [
        'The data is restricted, not erased yet',
        'The law requires the records ' +
          `${until ? `until ${when(until)}` : 'as long as an account of theirs is open'}. Until then approvers ` +
          'and auditors may view them, for a legal reason.',
      ];
  const id = freshId('typed');
  await formDialog(
    {
      title: 'Erase this person',
      fields: [
        note(isErasure ? 'bad' : 'warn', el('strong', null, effect), details),
        el(
          'div',
          { class: 'field' },
          el('label', { for: id }, 'To confirm, type ', el('span', { class: 'confirm-with' }, wanted)),
          el('input', { id, name: 'typed', type: 'text', autocomplete: 'off', spellcheck: 'false' }),
        ),
      ],
      button: isErasure ? 'Erase for good' : 'Restrict',
      danger: true,
      body: (data) => ({ token, typed: data.get('typed') }),
    },
    async (body) => {
      const { erasure } = await call('POST', '/staff/v1/erasures', { body }).catch(explained);
      const done = erasure.outcome === 'erased' ? 'Erased.' : 'Restricted. The erasure follows when the law allows it.';
      await tellDone(done, signal, again);
    },
  );
}

/**
 * Undefined if the page was left, or if the erasure is refused, which is then shown.
 * @param {import('./privacy.js').PersonKey} key @param {AbortSignal} signal
 * @returns {Promise<ErasurePreparation | undefined>}
 */
async function preparation(key, signal) {
  try {
    return (await call('POST', '/staff/v1/erasures/preparation', { body: key, signal }))['erasure-preparation'];
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof Refused)) throw error;
    tell(error.message);
    return undefined;
  }
}

/** Says which part of the confirmation was refused. @param {unknown} refusal @returns {never} */
function explained(refusal) {
  if (!(refusal instanceof Refused) || refusal.code !== 'erasure-not-confirmed') throw refusal;
  const message =
    refusal.details[0]?.path === 'token'
      ? 'This took too long, or something changed. Close this dialog and start again.'
      : 'The text does not match.';
  throw new Refused(refusal.status, { code: refusal.code, message });
}
