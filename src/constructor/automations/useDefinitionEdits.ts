import { newFieldName } from '../../contract/fieldName.ts'
import { capitalised } from '../../contract/quoted.ts'
import type { Definition, DefinitionList } from '../forms/definitions.ts'
import type { Draft } from '../state/caseType.ts'
import type { EditorState } from '../state/useEditor.ts'
import type { DefinitionKind } from './definitionLists.ts'

/** Actions on the automations or the deadlines of the draft; each is one step of undo. */
export function useDefinitionEdits<L extends DefinitionList>(editor: EditorState, kind: DefinitionKind<L>) {
  const { history, selectDefinition, announce, base } = editor
  const { list, naming, initial } = kind
  const noun = capitalised(kind.noun)
  const all = history.draft[list] as Definition<L>[]
  const edit = (
    update: (now: Definition<L>[]) => Definition<L>[],
    info: { what: string; name: string; typing?: boolean },
  ) => history.editDefinitions(list, (now) => update(now as Definition<L>[]) as Draft[L], info)
  // The name of a published one identifies what is stored of records, so a new one never gets it.
  const taken = () => new Set([...all, ...(base[list] ?? [])].map(({ name }) => name))
  const insert = (one: Definition<L>, at: number, what: string, { stays = false } = {}) => {
    edit((now) => now.toSpliced(at, 0, one), { what, name: one.name })
    if (!stays) selectDefinition({ list, name: one.name })
    announce(`${what}: ${one.label}`)
  }
  return {
    /** Adds one of this name at the end, with some parts given; with `stays` without selecting it. */
    add: (label: string, parts?: Partial<Definition<L>>, options?: { stays?: boolean }) =>
      insert(
        { ...initial(newFieldName(label, taken()), label), ...parts },
        all.length,
        `${noun} added`,
        options,
      ),
    copy: (original: Definition<L>) => {
      const label = `${original.label} (copy)`.slice(0, naming.maxLength)
      const name = newFieldName(label, taken())
      insert({ ...original, name, label }, all.indexOf(original) + 1, `${noun} copied`)
    },
    remove: ({ name, label }: Definition<L>, { stays = false } = {}) => {
      const at = all.findIndex((one) => one.name === name)
      const what = `${noun} removed`
      edit((now) => now.filter((one) => one.name !== name), { what, name })
      const next = all[at + 1] ?? all[at - 1]
      if (next && !stays) selectDefinition({ list, name: next.name })
      announce(`${what}: ${label}`)
    },
    move: ({ name, label }: Definition<L>, by: -1 | 1) => {
      const at = all.findIndex((one) => one.name === name)
      const to = at + by
      if (to < 0 || to >= all.length)
        return announce(`${label} is already at the ${by < 0 ? 'top' : 'bottom'}`)
      edit((now) => now.toSpliced(at, 1).toSpliced(to, 0, now[at]), { what: `${noun} moved`, name })
      announce(`${label} moved to place ${to + 1} of ${all.length}`)
    },
    change: (changed: Definition<L>, what: string, typing?: boolean) =>
      edit((now) => now.map((one) => (one.name === changed.name ? changed : one)), {
        what,
        name: changed.name,
        typing,
      }),
  }
}

export type DefinitionEdits<L extends DefinitionList> = ReturnType<typeof useDefinitionEdits<L>>
