import type { ComponentType } from 'react'
import { AgeCell } from './AgeCell.tsx'
import { AgoCell } from './AgoCell.tsx'
import { ChangesCell } from './ChangesCell.tsx'
import type { CellProps } from './cell.ts'
import { DateCell } from './DateCell.tsx'
import { DateTimeCell } from './DateTimeCell.tsx'
import { DueCell } from './DueCell.tsx'
import { HoursCell } from './HoursCell.tsx'
import { LinesCell } from './LinesCell.tsx'
import { LookupCell } from './LookupCell.tsx'
import { MarksCell } from './MarksCell.tsx'
import { NhsNumberCell } from './NhsNumberCell.tsx'
import { NumberCell } from './NumberCell.tsx'
import { PhoneCell } from './PhoneCell.tsx'
import { QuietCell } from './QuietCell.tsx'
import { SizeCell } from './SizeCell.tsx'
import { TagCell } from './TagCell.tsx'
import { TextCell } from './TextCell.tsx'
import { WhyCell } from './WhyCell.tsx'
import { YesNoCell } from './YesNoCell.tsx'

/** The components that render a read-only value, by the `as` of a column. */
export const cells = {
  text: TextCell,
  lines: LinesCell,
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
  age: AgeCell,
  due: DueCell,
  quiet: QuietCell,
  nhsNumber: NhsNumberCell,
  phone: PhoneCell,
  marks: MarksCell,
  why: WhyCell,
} satisfies Record<string, ComponentType<CellProps>>

export type CellName = keyof typeof cells
