import {
  sealed,
  freezeRequested,
  frozen,
  automatic,
  releaseRequested,
  released,
  analyst,
  approver,
  others,
  freeze,
  release,
  step,
  byItself,
  closed,
  given,
} from '../account-freeze/freezing.testing';

describe('Freezing an account', () => {
  it('needs two different staff members, and records the reason, the evidence and both members', () => {
    expect(given().events(freeze(analyst('one')))).toEqual([freezeRequested]);
    expect(given(freezeRequested).state().status).toBe('active');
    expect(given(freezeRequested).code(step('confirm-freeze', approver('one')))).toBe('second-member-required');
    expect(given(freezeRequested).events(step('confirm-freeze', approver('two')))).toEqual([frozen]);
    expect(given(freezeRequested, frozen).state()).toMatchObject({
      status: 'frozen',
      standing: { pending: null, freezes: [{ requestedBy: 'one', confirmedBy: 'two', evidence: sealed }] },
    });
    expect(given(freezeRequested, frozen).events(step('confirm-freeze', approver('two')))).toEqual([]);
  });

  it('is for compliance: analysts and approvers can request it, approvers can confirm it', () => {
    expect(given().code(freeze(others))).toBe('role-not-allowed');
    for (const staff of [others, analyst('two')])
      expect(given(freezeRequested).code(step('confirm-freeze', staff))).toBe('role-not-allowed');
    expect(given().code(freeze(approver('one'), 'because Maria da Silva'))).toBe('invalid-enum-value');
    expect(given().code(step('confirm-freeze', approver('two')))).toBe('freeze-step-not-pending');
    expect(given(frozen, releaseRequested).code(step('confirm-freeze', approver('three')))).toBe(
      'freeze-step-not-pending',
    );
    expect(given(frozen).code(freeze(approver('one')))).toBe('account-already-frozen');
  });

  it('allows one pending step at a time, which can be repeated without effect, withdrawn or refused', () => {
    expect(given(freezeRequested).events(freeze(analyst('one')))).toEqual([]);
    expect(given(freezeRequested).code(freeze(analyst('two')))).toBe('freeze-step-pending');
    expect(given(freezeRequested).events(step('close-freeze-request', analyst('one')))).toEqual([
      closed('withdrawn', 'one'),
    ]);
    expect(given(freezeRequested).events(step('close-freeze-request', approver('two')))).toMatchObject([
      { data: { outcome: 'refused', closedBy: 'two' } },
    ]);
    expect(given(freezeRequested).code(step('close-freeze-request', analyst('two')))).toBe('role-not-allowed');
    expect(given(freezeRequested, closed('refused', 'two')).code(step('confirm-freeze', approver('two')))).toBe(
      'freeze-step-not-pending',
    );
    expect(given().code(step('close-freeze-request', approver('two')))).toBe('freeze-step-not-pending');
  });

  it('happens at once for the system; a second reason is recorded too and ends a pending release', () => {
    expect(given().events(byItself)).toEqual([automatic]);
    expect(given(freezeRequested).events(byItself)).toEqual([automatic]);
    const twice = given(frozen, releaseRequested, automatic);
    expect(twice.state().standing).toMatchObject({
      pending: null,
      freezes: [{ reason: 'sanctions' }, { reason: 'pix-taken-back' }],
    });
    expect(twice.code(step('confirm-release', approver('one')))).toBe('freeze-step-not-pending');
  });

  it('for a further reason takes two staff members, even if they requested it before the system froze the account', () => {
    const meanwhile = given(freezeRequested, automatic);
    expect(meanwhile.state().standing.pending).toMatchObject({ request: 1, step: 'freeze', reason: 'sanctions' });
    expect(meanwhile.code(release(analyst('two')))).toBe('freeze-step-pending');
    expect(meanwhile.code(step('confirm-freeze', approver('one')))).toBe('second-member-required');
    expect(meanwhile.events(step('confirm-freeze', approver('two')))).toEqual([frozen]);
    expect(given(freezeRequested, automatic, frozen).state()).toMatchObject({
      status: 'frozen',
      standing: { pending: null, freezes: [{ reason: 'pix-taken-back' }, { reason: 'sanctions' }] },
    });
    expect(given(freezeRequested, automatic, frozen).events(step('confirm-freeze', approver('two')))).toEqual([]);
    expect(given(freezeRequested, automatic, closed('refused', 'two')).events(release(analyst('two')))).toEqual([
      releaseRequested,
    ]);
    expect(given(automatic).events(freeze(analyst('one')))).toEqual([freezeRequested]);
    expect(given(automatic, freezeRequested).events(step('confirm-freeze', approver('two')))).toEqual([frozen]);
    expect(given(automatic, freezeRequested, frozen).code(freeze(analyst('two')))).toBe('account-already-frozen');
    expect(given(automatic, releaseRequested).code(freeze(analyst('one')))).toBe('freeze-step-pending');
  });
});

describe('Releasing an account', () => {
  it('needs two different staff members, even if the system froze it', () => {
    for (const how of [frozen, automatic]) {
      expect(given(how).events(release(analyst('two')))).toEqual([releaseRequested]);
      expect(given(how).code(step('confirm-release', approver('one')))).toBe('freeze-step-not-pending');
      expect(given(how, releaseRequested).state().status).toBe('frozen');
      expect(given(how, releaseRequested).code(step('confirm-release', approver('two')))).toBe(
        'second-member-required',
      );
      expect(given(how, releaseRequested).code(step('confirm-release', analyst('one')))).toBe('role-not-allowed');
      expect(given(how, releaseRequested).events(step('confirm-release', approver('one')))).toEqual([released]);
      expect(given(how, releaseRequested, released).state()).toMatchObject({
        status: 'active',
        standing: { pending: null, freezes: [] },
      });
      expect(given(how, releaseRequested, released).events(step('confirm-release', approver('one')))).toEqual([]);
    }
    expect(given().code(release(analyst('two')))).toBe('account-not-frozen');
    expect(given(frozen, releaseRequested, released).events(freeze(analyst('one')))).toEqual([freezeRequested]);
  });
});
