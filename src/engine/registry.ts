import { type ComponentType, lazy } from 'react'
import type { CELLS } from '../contract/names.ts'
import type { AssignScreen, DetailScreen, FormScreen, ListScreen, WizardScreen } from '../contract/types.ts'
import { AgoCell } from './cells/AgoCell.tsx'
import { ChangesCell } from './cells/ChangesCell.tsx'
import type { CellProps } from './cells/cell.ts'
import { DateCell } from './cells/DateCell.tsx'
import { DateTimeCell } from './cells/DateTimeCell.tsx'
import { HoursCell } from './cells/HoursCell.tsx'
import { LookupCell } from './cells/LookupCell.tsx'
import { NumberCell } from './cells/NumberCell.tsx'
import { SizeCell } from './cells/SizeCell.tsx'
import { TagCell } from './cells/TagCell.tsx'
import { TextCell } from './cells/TextCell.tsx'
import { YesNoCell } from './cells/YesNoCell.tsx'

interface Kinds {
  list: ComponentType<{ screen: ListScreen }>
  form: ComponentType<{ screen: FormScreen }>
  detail: ComponentType<{ screen: DetailScreen }>
  wizard: ComponentType<{ screen: WizardScreen }>
  assign: ComponentType<{ screen: AssignScreen }>
}

/** What draws a screen, by its kind; each is fetched when it is first needed. */
export const kinds: Kinds = {
  list: lazy(() => import('./kinds/List.tsx')),
  form: lazy(() => import('./kinds/Form.tsx')),
  detail: lazy(() => import('./kinds/Detail.tsx')),
  wizard: lazy(() => import('./kinds/Wizard.tsx')),
  assign: lazy(() => import('./kinds/Allot.tsx')),
}

export type CellName = (typeof CELLS)[number]

/** What draws a value that is not being edited, by the name a column may give. */
export const cells: Record<CellName, ComponentType<CellProps>> = {
  text: TextCell,
  date: DateCell,
  datetime: DateTimeCell,
  ago: AgoCell,
  hours: HoursCell,
  lookup: LookupCell,
  tag: TagCell,
  number: NumberCell,
  yesno: YesNoCell,
  changes: ChangesCell,
  size: SizeCell,
}
