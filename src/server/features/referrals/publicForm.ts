import { sql } from 'kysely'
import { editableFields } from '../../../contract/entity.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import { fillParams } from '../../../contract/lookupCall.ts'
import { publicGroups } from '../../../contract/meta/publicFields.ts'
import { STATUS } from '../../../contract/status.ts'
import type { CaseType, ReferralForm } from '../../../contract/types/entities.ts'
import type { ConditionContext } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { choicesOf } from '../../records/lookups/choices.ts'

export type PublicCaseType = Pick<CaseType, 'id' | 'version'> & { groups: Group[] }
/** An active public form of a service. */
export type PublicForm = Pick<ReferralForm, 'id' | 'service' | 'intro' | 'hub' | 'routes'> & {
  title: string
  /** Case types of the form and its routes that are usable now, by id; always with the form's own. */
  caseTypes: Map<number, PublicCaseType>
  caseType: PublicCaseType
}

/** The form of a service; throws the same 404 if it is inactive, cannot be used or does not exist. */
export async function publicForm(
  { db, contract }: Pick<Call, 'db' | 'contract'>,
  service: unknown,
): Promise<PublicForm> {
  if (!/^[1-9]\d{0,8}$/.test(String(service))) throw problem('noReferralForm')
  const { rows } = await sql<Omit<PublicForm, 'caseTypes' | 'caseType'> & { case_type: number }>`
    select f.id, f.service, s.label as title, f.intro, f.hub, f.routes, f.case_type
    from referral_forms f join lookup s on s.kind = 'services' and s.value = f.service and s.active
    where f.service = ${Number(service)} and f.status = ${sql.lit(STATUS.active)}`.execute(db)
  const [form] = rows
  if (!form) throw problem('noReferralForm')
  const ids = [form.case_type, ...form.routes.flatMap(({ case_type }) => case_type ?? [])]
  const usable = await usableCaseTypes(db, form.service, ids)
  const caseTypes = new Map(
    usable.map(({ id, version, groups }) => [
      id,
      { id, version, groups: publicGroups(groups, { lookups: contract.lookups }) },
    ]),
  )
  const caseType = caseTypes.get(form.case_type)
  if (!caseType) throw problem('noReferralForm')
  return { ...form, caseTypes, caseType }
}

/** Those of the case types that belong to the service, and are published and not retired. */
export async function usableCaseTypes(db: Db, service: unknown, ids: number[]): Promise<PublicCaseType[]> {
  const { rows } = await sql<PublicCaseType>`select id, version, case_meta as groups from case_types
    where id = any(${ids}::int[]) and service = ${service} and version > 0 and status = ${sql.lit(STATUS.active)}`.execute(
    db,
  )
  return rows
}

/** Hub and case type of a council area: those of its route if it has one and they can be used, else the form's. */
export function routeOf(
  { hub, routes, caseTypes, caseType }: PublicForm,
  area: unknown,
): { hub: number; caseType: PublicCaseType } {
  const route = routes.find(({ council_area }) => council_area === area)
  return {
    hub: route?.hub ?? hub,
    caseType: (route?.case_type && caseTypes.get(route.case_type)) || caseType,
  }
}

/** The context of the form's conditions and lookups, besides its answers. */
export function publicContext({ service }: PublicForm, person: Record<string, unknown>): ConditionContext {
  return { with: { case: { service }, client: person } }
}

/** The choices of the form's own fields by lookup, with value and label only. */
export async function ownChoices(call: Call): Promise<Record<string, { value: number; label: string }[]>> {
  const fields = editableFields(call.contract.entities.publicReferral)
  const lookups = fields.flatMap(({ attrs }) => attrs?.lookup ?? [])
  const entries = lookups.map(async (lookup) => [lookup, await plainChoices(call, lookup, {})] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** Replaces the lookups of fields with their choices, because no lookup is public. */
export function withChoices(call: Call, form: PublicForm, groups: Group[]): Promise<Group[]> {
  return Promise.all(
    groups.map(async (group) => ({ ...group, fields: await fieldsWithChoices(call, form, group.fields) })),
  )
}

function fieldsWithChoices(call: Call, form: PublicForm, fields: Field[]): Promise<Field[]> {
  return Promise.all(
    fields.map(async (field) => {
      const { lookup, lookup_params, ...attrs } = field.attrs ?? {}
      const own = field.fields && { fields: await fieldsWithChoices(call, form, field.fields) }
      if (!lookup) return { ...field, ...own }
      const params = fillParams(lookup_params, publicContext(form, {}))
      const options = await plainChoices(call, lookup, params)
      return { ...field, attrs: { ...attrs, options } }
    }),
  )
}

async function plainChoices(call: Call, lookup: string, params: Record<string, unknown>) {
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
  const items = await choicesOf(call, lookup, texts)
  return items.map(({ value, label }) => ({ value, label }))
}
