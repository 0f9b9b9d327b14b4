import type { Action } from '../../contract/generated.ts'

/** The actions in the menu of an action: its own `menu`, or those of `later`, which postpone. */
export function menuOf({ menu, later, call, params, done }: Action): Action[] | undefined {
  if (!later) return menu
  const { field, value, form } = later
  const shared = { call, params, undo: call, undoValues: { [value]: `{${field}}` } }
  const day = (label: string, text: string) => ({
    ...shared,
    label,
    values: { [value]: text },
    done: `${done}: ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
  })
  return [
    day('Tomorrow', '+1d'),
    day('In 7 days', '+7d'),
    { ...shared, label: 'Choose a day', form, done: `${done}: postponed` },
  ]
}
