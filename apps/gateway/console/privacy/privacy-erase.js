import { call, Refused } from '../shell/api.js';
import { openDialog } from '../shell/dialogs.js';
import { el, fill, freshId, note } from '../shell/dom.js';
import { tell } from '../shell/live.js';
import { when } from '../shell/time.js';

/** @typedef {import('../types').ErasurePreparation} ErasurePreparation */

/**
 * Erases in two steps: the server returns the effect and the text to type, and then the user confirms.
 * @param {import('./privacy.js').PersonKey} key
 * @param {() => Promise<void>} done
 */
export async function eraseDialog(key, done) {
  /** @type {ErasurePreparation} */
  let prepared;
  try {
    prepared = (await call('POST', '/staff/v1/erasures/preparation', { body: key }))['erasure-preparation'];
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return tell(error.message);
  }
  const { token, 'confirm-with': wanted, outcome, 'retained-until': until } = prepared;
  const effect =
    outcome === 'erased'
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
  const erased = await openDialog('Erase this person', (close) => {
    const error = el('p', { class: 'note bad', role: 'alert', id: `${id}-error`, hidden: true });
    const button = el('button', { class: 'button danger' }, outcome === 'erased' ? 'Erase for good' : 'Restrict');
    const input = el('input', {
      id,
      name: 'typed',
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-describedby': `${id}-error`,
    });
    return [
      el(
        'form',
        {
          class: 'stack',
          novalidate: true,
          onsubmit: async (/** @type {SubmitEvent} */ event) => {
            event.preventDefault();
            button.disabled = true;
            try {
              close((await call('POST', '/staff/v1/erasures', { body: { token, typed: input.value } })).erasure);
            } catch (refusal) {
              if (!(refusal instanceof Refused)) throw refusal;
              error.hidden = false;
              const path = refusal.details[0]?.path ?? '';
              fill(
                error,
                refusal.code === 'erasure-not-confirmed'
                  ? path === 'token'
                    ? 'This took too long, or something changed. Close this dialog and start again.'
                    : 'The text does not match.'
                  : refusal.message,
              );
              button.disabled = false;
              input.focus();
            }
          },
        },
        note(outcome === 'erased' ? 'bad' : 'warn', el('strong', null, effect[0]), effect[1]),
        el(
          'div',
          { class: 'field' },
          el('label', { for: id }, 'To confirm, type ', el('span', { class: 'confirm-with' }, wanted)),
          input,
        ),
        error,
        el(
          'div',
          { class: 'actions' },
          el('button', { type: 'button', class: 'button', onclick: () => close(undefined) }, 'Cancel'),
          button,
        ),
      ),
    ];
  });
  if (!erased) return;
  tell(
    /** @type {{ outcome: string }} */ (erased).outcome === 'erased'
      ? 'Erased.'
      : 'Restricted. The erasure follows when the law allows it.',
  );
  await done().catch((error) => {
    if (!(error instanceof Refused)) throw error;
  });
}
