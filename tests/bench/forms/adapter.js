/**
 * An adapter for a form whose controls have the field's name, with a prefix, as their id.
 * @param {Pick<FormAdapter, 'stored' | 'submit' | 'total'> & {prefix?: string, separator?: string, errors: string}} form
 * @returns {FormAdapter}
 */
export function adaptById({ prefix = '', separator = '.', stored, submit, total, errors }) {
  const find = (name) =>
    /** @type {HTMLInputElement | null} */ (document.getElementById(prefix + name.replaceAll('.', separator)))
  return {
    control: find,
    toggle: (name, answer) => document.getElementById(`${prefix}${name}-${answer}`)?.click(),
    stored,
    submit,
    total,
    errors: () => document.querySelectorAll(errors).length,
  }
}

/** The element that an engine renders its form into. */
export const root = () => /** @type {HTMLElement} */ (document.getElementById('root'))

export const submitForm = () => document.querySelector('form')?.requestSubmit()

/** The form this page was asked for: ?size=60&group=10&calculated=0 */
export function asked() {
  const query = new URLSearchParams(location.search)
  return Object.fromEntries(['size', 'group', 'calculated'].map((name) => [name, Number(query.get(name))]))
}
