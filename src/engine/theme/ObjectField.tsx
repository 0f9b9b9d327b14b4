import { getDefaultRegistry } from '@rjsf/core'
import type { FieldProps, RJSFSchema } from '@rjsf/utils'
import type { GroupContext } from '../form/GroupForm.tsx'

const { ObjectField: Stock } = getDefaultRegistry<unknown, RJSFSchema, GroupContext>().fields

/** rjsf's own, but a change goes to the form's store at once instead of waiting for rjsf to draw it. */
export function ObjectField(props: FieldProps<unknown, RJSFSchema, GroupContext>) {
  return <Stock {...props} onChange={props.registry.formContext.change} />
}
