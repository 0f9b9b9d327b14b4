import { newFieldName } from '../../contract/fieldName.ts'
import type { Automation } from '../../contract/generated.ts'
import { withNewTest } from '../conditions/conditionRows.ts'
import type { EditorState } from '../state/useEditor.ts'

/** Actions on the automations of the draft; each is one step of undo. */
export function useAutomationEdits(editor: EditorState) {
  const { history, selectAutomation, announce, base } = editor
  const { automations } = history.draft
  // The name of a published automation identifies the states of records, so a new one never gets it.
  const taken = () => new Set([...automations, ...(base.automations ?? [])].map(({ name }) => name))
  const insert = (one: Automation, at: number, what: string) => {
    history.editAutomations((all) => all.toSpliced(at, 0, one), { what, name: one.name })
    selectAutomation(one.name)
    announce(`${what}: ${one.label}`)
  }
  return {
    add: (label: string) => {
      const name = newFieldName(label, taken())
      const when = withNewTest()
      const one: Automation = { name, label, of: 'issue', when, then: [{ alert: label, level: 'warning' }] }
      insert(one, automations.length, 'Automation added')
    },
    copy: (original: Automation) => {
      const label = `${original.label} (copy)`.slice(0, 200)
      const name = newFieldName(label, taken())
      insert({ ...original, name, label }, automations.indexOf(original) + 1, 'Automation copied')
    },
    remove: ({ name, label }: Automation) => {
      const at = automations.findIndex((one) => one.name === name)
      const what = 'Automation removed'
      history.editAutomations((all) => all.filter((one) => one.name !== name), { what, name })
      const next = automations[at + 1] ?? automations[at - 1]
      if (next) selectAutomation(next.name)
      announce(`${what}: ${label}`)
    },
    move: ({ name, label }: Automation, by: -1 | 1) => {
      const at = automations.findIndex((one) => one.name === name)
      const to = at + by
      if (to < 0 || to >= automations.length)
        return announce(`${label} is already at the ${by < 0 ? 'top' : 'bottom'}`)
      history.editAutomations((all) => all.toSpliced(at, 1).toSpliced(to, 0, all[at]), {
        what: 'Automation moved',
        name,
      })
      announce(`${label} moved to place ${to + 1} of ${automations.length}`)
    },
    change: (changed: Automation, what: string, typing?: boolean) =>
      history.editAutomations((all) => all.map((one) => (one.name === changed.name ? changed : one)), {
        what,
        name: changed.name,
        typing,
      }),
  }
}

export type AutomationEdits = ReturnType<typeof useAutomationEdits>
