const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id of a resource that was typed, in lower case; empty if it is no id. @param {unknown} text */
export const typedId = (text) => {
  const id = String(text ?? '')
    .trim()
    .toLowerCase();
  return ID.test(id) ? id : '';
};
