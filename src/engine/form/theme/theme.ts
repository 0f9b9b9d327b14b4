import type { RegistryWidgetsType, TemplatesType } from '@rjsf/utils'
import type { ComponentType } from 'react'
import type { FieldType } from '../../../contract/generated.ts'
import { Contact } from '../widgets/Contact.tsx'
import { DateInput } from '../widgets/DateInput.tsx'
import { DateTime } from '../widgets/DateTime.tsx'
import { Decimal } from '../widgets/Decimal.tsx'
import { Duration } from '../widgets/Duration.tsx'
import { FileInput } from '../widgets/FileInput.tsx'
import { GroupedSelect } from '../widgets/GroupedSelect.tsx'
import { Integer } from '../widgets/Integer.tsx'
import { Month } from '../widgets/Month.tsx'
import { Multiselect } from '../widgets/Multiselect.tsx'
import { Note } from '../widgets/Note.tsx'
import { Phone } from '../widgets/Phone.tsx'
import { Postcode } from '../widgets/Postcode.tsx'
import { Radios } from '../widgets/Radios.tsx'
import { ReadOnly } from '../widgets/ReadOnly.tsx'
import { RefSelect } from '../widgets/RefSelect.tsx'
import { Repeat } from '../widgets/Repeat.tsx'
import { Scale } from '../widgets/Scale.tsx'
import { Select } from '../widgets/Select.tsx'
import { Signature } from '../widgets/Signature.tsx'
import { Text } from '../widgets/Text.tsx'
import { Textarea } from '../widgets/Textarea.tsx'
import { Time } from '../widgets/Time.tsx'
import { UkAddress } from '../widgets/UkAddress.tsx'
import type { FieldWidgetProps } from '../widgets/widgetProps.ts'
import { YesNo } from '../widgets/YesNo.tsx'
import { FieldTemplate } from './FieldTemplate.tsx'
import { ArrayFieldItemTemplate, ArrayFieldTemplate, ObjectFieldTemplate } from './nestedTemplates.tsx'

/** Widgets by field type, and those for another record, two fields in one list, radio buttons and read-only values. */
const byType: Record<
  FieldType | 'ref' | 'grouped' | 'radios' | 'readOnly',
  ComponentType<FieldWidgetProps>
> = {
  text: Text,
  textarea: Textarea,
  date: DateInput,
  datetime: DateTime,
  integer: Integer,
  scale: Scale,
  yesno: YesNo,
  select: Select,
  multiselect: Multiselect,
  phone: Phone,
  postcode: Postcode,
  duration: Duration,
  decimal: Decimal,
  money: Decimal,
  year: Integer,
  month: Month,
  time: Time,
  file: FileInput,
  signature: Signature,
  contact: Contact,
  uk_address: UkAddress,
  repeat: Repeat,
  note: Note,
  ref: RefSelect,
  grouped: GroupedSelect,
  radios: Radios,
  readOnly: ReadOnly,
}

/**
 * The widgets and templates of rjsf, in Blueprint's style, for any of its forms: the `uiSchema` of a property has the
 * name of its widget and its field (`ui:options.spec`).
 */
export const widgets = byType as unknown as RegistryWidgetsType
export const templates = {
  FieldTemplate,
  ObjectFieldTemplate,
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
} as unknown as Partial<TemplatesType>
