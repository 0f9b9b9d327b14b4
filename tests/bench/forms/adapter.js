/** An adapter for a form whose controls have the field's name, with a prefix, as their id. */
export function adaptById({ prefix = '', separator = '.', stored, submit, errors }) {
  const find = (name) => document.getElementById(prefix + name.replaceAll('.', separator))
  return {
    control: find,
    toggle: (name, answer) => document.getElementById(`${prefix}${name}-${answer}`).click(),
    stored,
    submit,
    errors: () => document.querySelectorAll(errors).length,
  }
}

/** The form this page was asked for: ?size=60&group=10 */
export function asked() {
  const query = new URLSearchParams(location.search)
  return { size: Number(query.get('size')), group: Number(query.get('group')) }
}
